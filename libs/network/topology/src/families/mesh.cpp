// SPDX-License-Identifier: Apache-2.0
//
// Mesh: switches on a grid, each joined to its neighbours along every dimension; lines are open.
//
// Numbering and port order as in families/grid.hpp.

#include "families.hpp"
#include "families/grid.hpp"

namespace ebb::topology::mesh {
namespace {

// The busiest channel is the one in the middle: floor(k/2) switches send ceil(k/2)/k of their
// traffic across it.
grid::Line line(std::int64_t k) {
  const std::int64_t crossing = (k / 2) * (k - k / 2);
  return {.pairs = k - 1,
          .neighbours = k == 2 ? 1 : 2,
          .diameter = k - 1,
          .cut = 1,
          .load = static_cast<double>(crossing) / static_cast<double>(k)};
}

void above(std::uint32_t x, std::uint32_t k, std::vector<std::uint32_t>& coordinates) {
  if (x + 1 < k) coordinates.push_back(x + 1);
}

constexpr grid::Rule kRule = {line, above};

Result<Properties> properties(const Parameters& parameters) {
  return grid::properties(parameters, kRule);
}

Graph build(const Parameters& parameters, RateTable rate_table) {
  return grid::build("mesh", parameters, std::move(rate_table), kRule);
}

std::vector<ParameterTexts> designs(const Demand& demand) { return grid::designs("mesh", demand); }

}  // namespace

Family family() {
  return {.name = "mesh",
          .summary = "grid of switches, each joined to its neighbours",
          .parameters = grid::parameters(),
          .properties = properties,
          .build = build,
          .designs = designs};
}

}  // namespace ebb::topology::mesh
