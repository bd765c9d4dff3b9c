// SPDX-License-Identifier: Apache-2.0
//
// Discrete-ordinates transport, as the motif Sweep3D of SST Ember: a wavefront goes through a grid
// of ranks from each of its four corners, twice. The cells of a rank are a column of nz layers; it
// works on `block` layers at a time: receive from the neighbours before it in x and y, compute,
// send to those after it. So many blocks of a sweep are under way at the same time.
#include "applications.hpp"
#include "grid.hpp"
#include "process.hpp"

#include <fmt/format.h>

#include <array>

namespace ebb::applications {
namespace {

// From which corner, as the direction of the wavefront in x and y.
struct Corner {
  int x = 1;
  int y = 1;
  std::uint32_t tag = 0;
};

constexpr std::array<Corner, 4> kCorners = {Corner{1, 1, 1000}, Corner{-1, 1, 2000},
                                            Corner{-1, -1, 3000}, Corner{1, -1, 4000}};

struct Sweep {
  Grid grid;
  std::int64_t blocks = 0;  // of layers
  DataSize to_x{};          // message to the neighbour in x
  DataSize to_y{};
  Duration compute{};  // on a block
};

void run_sweep(Process& process, const Sweep& sweep, const Corner& corner) {
  const Point here = sweep.grid.point(process.rank());
  const auto messages = [&](int sign) {
    std::vector<Message> both;
    if (const auto x = sweep.grid.rank({here[0] + std::int64_t{sign} * corner.x, here[1], 0}))
      both.push_back({*x, sweep.to_x, corner.tag});
    if (const auto y = sweep.grid.rank({here[0], here[1] + std::int64_t{sign} * corner.y, 0}))
      both.push_back({*y, sweep.to_y, corner.tag});
    return both;
  };
  for (std::int64_t block = 0; block < sweep.blocks; ++block) {
    process.exchange(messages(-1), {});
    process.compute(sweep.compute);
    process.exchange({}, messages(1));
  }
}

Result<Sweep> sweep_of(const Parameters& parameters) {
  const auto grid = Grid::from(parameters, 2);
  Errors errors = grid ? Errors{} : grid.error();
  const std::vector<std::int64_t>& cells = parameters.list("cells");
  const std::int64_t block = parameters.integer("block");
  if (cells.size() != 3) {
    errors.push_back({"'cells' must have 3 sides", {.path = "cells"}});
  } else if (cells[2] % block != 0) {
    errors.push_back(
        {fmt::format("'block' must divide the {} layers of 'cells'", cells[2]), {.path = "block"}});
  }
  if (!errors.empty()) return fail(std::move(errors));
  const std::int64_t fields = parameters.integer("fields");
  const std::int64_t edge = block * fields * parameters.integer("width");  // bytes for each cell
  const double operations = static_cast<double>(cells[0]) * static_cast<double>(cells[1]) *
                            static_cast<double>(block * fields) *
                            static_cast<double>(parameters.integer("flops_per_cell"));
  return Sweep{*grid, cells[2] / block, bytes(cells[0] * edge), bytes(cells[1] * edge),
               time_of(operations, parameters.integer("flops"))};
}

Result<program::Program> make_sweep3d(const Parameters& parameters) {
  const auto sweep = sweep_of(parameters);
  if (!sweep) return fail(sweep.error());
  const auto run = [&](Process& process) {
    for (std::int64_t turn = 0; turn < 2 * parameters.integer("iterations"); ++turn)
      for (const Corner& corner : kCorners) run_sweep(process, *sweep, corner);
  };
  return make_ranks(static_cast<std::uint32_t>(parameters.integer("ranks")), "sweep3d", run);
}

}  // namespace

Application sweep3d::application() {
  return {.name = "sweep3d",
          .summary = "wavefronts through a grid of ranks from its four corners, twice",
          .parameters = {ranks_parameter(),
                         grid_parameter(),
                         {"cells", WholeList{1, 100'000}, "50x50x50", "of each rank"},
                         {"block", Range<std::int64_t>{1, 100'000}, "1", "layers of a message"},
                         {"fields", Range<std::int64_t>{1, 10'000}, "8", "values of a cell"},
                         {"width", Range<std::int64_t>{1, 64}, "8", "bytes of a value"},
                         {"flops_per_cell", Range<std::int64_t>{0, 1'000'000'000}, "275",
                          "operations for each value of a cell"},
                         flops_parameter("1000000000"),
                         {"iterations", Range<std::int64_t>{1, 1'000'000}, "1",
                          "how many times, each of 8 sweeps"}},
          .make = make_sweep3d};
}

}  // namespace ebb::applications
