// SPDX-License-Identifier: Apache-2.0
//
// Torus: switches on a grid, each line of a dimension closed to a ring. A ring of two switches is
// one link, not two: the way round would join the same pair again (use `parallel` for that).
//
// Numbering and port order as in families/grid.hpp.

#include "families.hpp"
#include "families/grid.hpp"

namespace ebb::topology::torus {
namespace {

// Load of a ring channel under uniform traffic: the mean distance is k/4 for even k and
// (k^2-1)/(4k) for odd k, shared by the two channels that leave a switch. A ring of two has one.
double ring_load(std::int64_t k) {
  if (k == 2) return 0.5;
  const auto n = static_cast<double>(k);
  return k % 2 == 0 ? n / 8 : (n * n - 1) / (8 * n);
}

grid::Line line(std::int64_t k) {
  return {.pairs = k == 2 ? 1 : k,
          .neighbours = k == 2 ? 1 : 2,
          .diameter = k / 2,
          .cut = k == 2 ? 1 : 2,
          .load = ring_load(k)};
}

void above(std::uint32_t x, std::uint32_t k, std::vector<std::uint32_t>& coordinates) {
  if (x + 1 < k) coordinates.push_back(x + 1);
  if (x == 0 && k > 2) coordinates.push_back(k - 1);
}

constexpr grid::Rule kRule = {line, above};

Result<Properties> properties(const Parameters& parameters) {
  return grid::properties(parameters, kRule);
}

Graph build(const Parameters& parameters, RateTable rate_table) {
  return grid::build("torus", parameters, std::move(rate_table), kRule);
}

// Every switch can be moved onto every other by turning the rings.
std::vector<Orbit> orbits(const Parameters& parameters) {
  return {{0, static_cast<std::uint64_t>(grid::read(parameters)->switches())}};
}

std::vector<ParameterTexts> designs(const Demand& demand) { return grid::designs("torus", demand); }

}  // namespace

Family family() {
  return {.name = "torus",
          .summary = "grid of switches whose lines are closed to rings",
          .parameters = grid::parameters(),
          .properties = properties,
          .build = build,
          .orbits = orbits,
          .designs = designs};
}

}  // namespace ebb::topology::torus
