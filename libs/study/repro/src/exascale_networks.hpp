// SPDX-License-Identifier: Apache-2.0
//
// The three networks of about 300,000 hosts from switches of 72 ports that "On the Use of Commodity
// Ethernet Technology in Exascale HPC Systems" compares.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/topology/family.hpp"

#include <span>
#include <string>

namespace ebb::repro {

struct ExascaleNetwork {
  std::string id;
  std::string name;
  std::string family;
  ParameterTexts parameters;
};

// Clos, flattened butterfly, Dragonfly.
[[nodiscard]] std::span<const ExascaleNetwork> exascale_networks();
[[nodiscard]] Result<topology::Graph> build(const ExascaleNetwork& network);

}  // namespace ebb::repro
