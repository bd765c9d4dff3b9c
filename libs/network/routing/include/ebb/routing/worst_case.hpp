// SPDX-License-Identifier: Apache-2.0
//
// How much of a permutation a network carries when an adversary chooses the permutation: for each
// routing of a family the worst permutation that is known, and its capacity. Closed forms of the
// parameters alone; docs/models/worst-case.md derives each, and `ebb validate run worst-case` lets
// the packet simulator saturate on them.
//
//   const auto cases = worst_cases("fbfly", {{"hosts", "8"}, {"dims", "8"}});
//   best_of(*cases, Paths::minimal)->capacity;      // 0.125, by "shift by=8"
//   best_of(*cases, Paths::non_minimal)->capacity;  // 0.5
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/units/parameters.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::routing {

// Whether a routing takes shortest paths only. On a folded Clos they are those up and down.
enum class Paths : std::uint8_t { minimal, non_minimal };

// As many hosts as paths allow send over one link, each to another host behind it; not a pattern of
// `ebb list`, because where it concentrates depends on the routing.
inline constexpr const char* kOneLink = "one-link";
// Nothing is worse than anything else: all hosts share a switch.
inline constexpr const char* kAnyPermutation = "any";

struct WorstCase {
  std::string routing;  // as `ebb list` names it
  Paths paths = Paths::minimal;
  // A pattern of `ebb list` with its parameters ("shift by=8"), or one of the above.
  std::string permutation = kAnyPermutation;
  // The greatest load, as a share of the rate of a host's link, at which the busiest channel
  // carries what it is given; at most 1.
  double capacity = 1;

  bool operator==(const WorstCase&) const = default;
};

// Empty for families without a closed form (irregular and others); dragonflies of millions of
// switches have one for minimal routing only. Of a network that is filled with hosts. Refuses
// parameters that the family refuses.
[[nodiscard]] Result<std::vector<WorstCase>> worst_cases(std::string_view family,
                                                         const ParameterTexts& parameters);

// Of the routings with such paths the one that carries most; null when there is none.
[[nodiscard]] const WorstCase* best_of(std::span<const WorstCase> cases, Paths paths);

}  // namespace ebb::routing
