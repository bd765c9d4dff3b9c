// SPDX-License-Identifier: Apache-2.0
#include "fbfly/fbfly.hpp"

#include "fbfly/fbfly_designs.hpp"
#include "grid/grid.hpp"

namespace ebb::topology::fbfly {
namespace {

// Halving a line cuts floor(k/2)*ceil(k/2) pairs; uniform traffic sends 1/k of what a switch
// injects straight to each coordinate.
grid::Line line(std::int64_t k) {
  return {.pairs = k * (k - 1) / 2,
          .neighbours = k - 1,
          .diameter = 1,
          .cut = (k / 2) * (k - k / 2),
          .load = 1.0 / static_cast<double>(k)};
}

void above(std::uint32_t x, std::uint32_t k, std::vector<std::uint32_t>& coordinates) {
  for (std::uint32_t y = x + 1; y < k; ++y) coordinates.push_back(y);
}

constexpr grid::Rule kRule = {line, above};

Result<Figures> figures(const Parameters& parameters) { return grid::figures(parameters, kRule); }

Graph build(const Parameters& parameters, RateLadder ladder) {
  return grid::build("fbfly", parameters, std::move(ladder), kRule);
}

// Every switch can be moved onto every other by shifting coordinates.
std::vector<Orbit> orbits(const Parameters& parameters) {
  return {{0, static_cast<std::uint64_t>(grid::read(parameters)->switches())}};
}

}  // namespace

Family family() {
  return {.name = "fbfly",
          .summary = "flattened butterfly / HyperX: all-to-all along every dimension",
          .parameters = grid::parameters(),
          .figures = figures,
          .build = build,
          .orbits = orbits,
          .designs = designs};
}

}  // namespace ebb::topology::fbfly
