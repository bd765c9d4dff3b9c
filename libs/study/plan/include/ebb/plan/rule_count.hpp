// SPDX-License-Identifier: Apache-2.0
//
// Forwarding rules of an access switch: equation (1) of "On the Use of Commodity Ethernet
// Technology in Exascale HPC Systems", R = (G - 1) + (S - 1) + T for G groups of S access switches
// with T hosts each.
#pragma once

#include "ebb/topology/family.hpp"

#include <cstdint>

namespace ebb::plan {

struct RuleCount {
  std::int64_t flat = 0;        // one rule per host
  std::int64_t per_switch = 0;  // two levels: G = 1, S = all access switches
  std::int64_t per_group = 0;   // three levels
};

[[nodiscard]] RuleCount count_rules(const topology::Figures& figures);

}  // namespace ebb::plan
