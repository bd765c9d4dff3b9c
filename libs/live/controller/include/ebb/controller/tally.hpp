// SPDX-License-Identifier: Apache-2.0
//
// How often the policy decided, and what became of what it asked for. Since the start, never less.
#pragma once

#include "ebb/policy/action.hpp"

#include <cstdint>
#include <map>
#include <string_view>

namespace ebb::controller {

struct Tally {
  std::uint64_t decisions = 0;                                 // samples that the policy was given
  std::map<policy::Reason, std::uint64_t> actions;             // by what became of them
  std::map<std::string_view, std::uint64_t> refused_to_sleep;  // by the rule that objected first
  std::map<std::string_view, std::uint64_t> refused_to_wake;
};

}  // namespace ebb::controller
