// SPDX-License-Identifier: Apache-2.0
//
// Torus: switches on a grid, each line of a dimension closed to a ring. A ring of two switches is
// one link, not two: the way round would join the same pair again (use `parallel` for that).
//
// Circuits. With `block` = b this is the torus of one job on a machine of blocks of b x b x ...
// switches, as TPU v4 has them (Jouppi et al., "TPU v4: An Optically Reconfigurable Supercomputer
// for Machine Learning with Hardware Support for Embeddings", ISCA 2023: blocks of 4 x 4 x 4).
// Links inside a block are cables. A link that leaves a face, also where a ring closes in one
// block, is a circuit: for each place on two opposite faces there is one optical circuit switch, to
// which that place of both faces of every block of the machine leads. Circuits are set when a job
// begins and stay, so that routing sees links.
//
// Numbering and port order as in families/grid.hpp.

#include "families.hpp"
#include "families/grid.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

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

// Blocks that the job takes, each of so many switches along every dimension.
Result<std::int64_t> blocks_of(const grid::Grid& grid, std::int64_t side) {
  std::int64_t blocks = 1;
  for (const std::int64_t k : grid.dims) {
    if (k % side != 0) {
      return fail(fmt::format("a side of {} switches is not made of blocks of {}", k, side),
                  {.path = "dims"});
    }
    blocks = product({blocks, k / side});
  }
  return blocks;
}

Result<void> add_circuits(const Parameters& parameters, Properties& known) {
  const std::int64_t side = parameters.integer("block");
  const std::int64_t given = parameters.integer("blocks");
  if (side == 0 && given != 0) {
    return fail("'blocks' counts blocks of 'block' switches, which is not given",
                {.path = "blocks"});
  }
  if (side == 0) return {};
  // With fewer, opposite faces of a block are one, or a ring needs no link that leaves them.
  if (side < 3)
    return fail("a block has three switches or more along each dimension", {.path = "block"});
  const grid::Grid grid = grid::read(parameters).value();
  const auto of_job = blocks_of(grid, side);
  if (!of_job) return fail(of_job.error());
  const std::int64_t blocks = given == 0 ? *of_job : given;
  if (blocks < *of_job) {
    return fail(fmt::format("the job takes {} blocks, the machine has {}", *of_job, blocks),
                {.path = "blocks"});
  }
  std::int64_t face = 1;
  for (std::size_t d = 1; d < grid.dims.size(); ++d) face = product({face, side});
  for (const std::int64_t parallel : grid.parallel)
    known.circuit_switches = sum({known.circuit_switches, product({face, parallel})});
  known.circuit_switch_ports = product({2, blocks});
  known.circuits = product({known.circuit_switches, *of_job});
  return {};
}

Result<Properties> properties(const Parameters& parameters) {
  auto known = grid::properties(parameters, kRule);
  if (!known) return known;
  if (const auto added = add_circuits(parameters, *known); !added) return fail(added.error());
  return known;
}

std::vector<Parameter> parameters() {
  std::vector<Parameter> all = grid::parameters();
  all.push_back(
      {"block", Range<std::int64_t>{0, 1'000}, "0",
       "side of a block whose faces lead to optical circuit switches; 0: there are none"});
  all.push_back({"blocks", Range<std::int64_t>{0, 1'000'000}, "0",
                 "blocks of the machine; 0: those of the job"});
  return all;
}

// A torus without blocks names none.
Graph build(const Parameters& parameters, RateTable rate_table) {
  const bool has_blocks = parameters.integer("block") > 0;
  ParameterTexts texts = parameters.texts();
  if (!has_blocks) texts.resize(grid::parameters().size());
  const auto named =
      Parameters::resolve(has_blocks ? torus::parameters() : grid::parameters(), texts);
  return grid::build("torus", named.value(), std::move(rate_table), kRule);
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
          .parameters = parameters(),
          .properties = properties,
          .build = build,
          .orbits = orbits,
          .designs = designs};
}

}  // namespace ebb::topology::torus
