// SPDX-License-Identifier: Apache-2.0
//
// What slim-fly and polarfly share: graphs of diameter 2 that a prime power q decides, with p hosts
// on every switch. Parameters, closed forms, and the smallest q for a demand.
#pragma once

#include "families.hpp"

#include "ebb/core/result.hpp"
#include "ebb/units/parameters.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ebb::topology::diameter_two {

// The links between switches.
struct Structure {
  std::int64_t switches = 0;
  std::int64_t degree = 0;  // links of the busiest switch to others
  std::int64_t ends = 0;    // of all links between switches: the sum of the degrees
};

// Refuses a q for which there is no graph.
using StructureOf = Result<Structure> (*)(std::int64_t q);

[[nodiscard]] std::vector<Parameter> parameters();

// Refuses numbers that are no prime powers, and names the nearest that are.
[[nodiscard]] Result<void> check_order(std::int64_t q);

// Hosts per switch: the parameter p, or half of the degree, rounded up.
[[nodiscard]] std::int64_t hosts_per_switch(const Parameters& parameters,
                                            const Structure& structure);

// All but the bisection.
[[nodiscard]] Properties properties(const Parameters& parameters, const Structure& structure);

// The graph with the fewest switches for a demand.
[[nodiscard]] std::vector<ParameterTexts> designs(const Demand& demand, StructureOf structure_of);

}  // namespace ebb::topology::diameter_two
