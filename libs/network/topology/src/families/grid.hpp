// SPDX-License-Identifier: Apache-2.0
//
// Switches on a grid: what fbfly, torus and mesh have in common. Switch s has coordinates
// (x_1, ..., x_n), x_1 varying fastest; hosts s*c .. s*c+c-1 are its own. A family adds only how
// the k switches of one line are joined.
#pragma once

#include "ebb/topology/family.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::topology::grid {

struct Grid {
  std::int64_t hosts_per_switch = 0;
  std::vector<std::int64_t> dims;
  std::vector<std::int64_t> parallel;  // links between two joined switches, per dimension

  [[nodiscard]] std::int64_t switches() const;  // saturates
};

// A line of k switches along one dimension, each joined pair counted once.
struct Line {
  std::int64_t pairs = 0;       // joined pairs
  std::int64_t neighbours = 0;  // of the busiest switch
  std::int64_t diameter = 0;
  std::int64_t cut = 0;  // joined pairs between the first floor(k/2) switches and the rest
  // Mean load of the busiest channel when every switch of the line sends one unit, spread evenly
  // over all k switches, itself included.
  double load = 0;
};

// `hosts`, `dims` and `parallel`, for a family's parameter table.
[[nodiscard]] std::vector<Parameter> parameters();

// Refuses a `parallel` that has neither one entry nor one per dimension.
[[nodiscard]] Result<Grid> read(const Parameters& parameters);

// How a family joins the switches of a line.
struct Rule {
  Line (*line)(std::int64_t k) = nullptr;  // k >= 2
  // Writes the coordinates above x to which switch x of a line of k is joined, ascending.
  void (*above)(std::uint32_t x, std::uint32_t k,
                std::vector<std::uint32_t>& coordinates) = nullptr;
};

// Bisection: the smallest of the cuts that halve one dimension.
[[nodiscard]] Result<Properties> properties(const Parameters& parameters, const Rule& rule);

// Ports of a switch: its hosts first, then dimension by dimension the coordinates it is joined to,
// ascending, each `parallel` times.
[[nodiscard]] Graph build(std::string family, const Parameters& parameters, RateTable rate_table,
                          const Rule& rule);

// Tori and meshes for a demand: near-cubes with as many parallel links as uniform traffic needs.

// The two with the fewest switches among the best of 2 to 6 dimensions.
[[nodiscard]] std::vector<ParameterTexts> designs(std::string_view family, const Demand& demand);

}  // namespace ebb::topology::grid
