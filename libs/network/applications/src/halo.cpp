// SPDX-License-Identifier: Apache-2.0
//
// Stencil codes, which exchange the borders of their part of a grid with their neighbours, as the
// motifs Halo2D, Halo3D and Halo3D26 of SST Ember. The grid is not periodic: a rank at its border
// has fewer neighbours.
//
//   halo2d  in x and then in y: receive from both neighbours, send to both, wait
//   halo3d  with 6 neighbours axis by axis in the same way; with 26 all faces, edges and corners at
//           once; then an all-reduce of one number, if it is asked for
#include "applications.hpp"
#include "grid.hpp"
#include "process.hpp"

#include <chrono>
#include <utility>

namespace ebb::applications {
namespace {

constexpr std::int64_t kMostTurns = 1'000'000;

Parameter turns_parameter() {
  return {"iterations", Range<std::int64_t>{1, kMostTurns}, "10", "how many times"};
}

// With both neighbours on an axis. The tag says in which direction a message goes.
void exchange_axis(Process& process, const Grid& grid, int axis, DataSize size) {
  std::vector<Message> receives;
  std::vector<Message> sends;
  for (const std::uint32_t up : {0U, 1U}) {
    Point neighbour = grid.point(process.rank());
    neighbour[static_cast<std::size_t>(axis)] += up == 1 ? 1 : -1;
    const auto peer = grid.rank(neighbour);
    if (!peer) continue;
    const auto tag = static_cast<std::uint32_t>(2 * axis);
    sends.push_back({*peer, size, tag + up});
    receives.push_back({*peer, size, tag + 1 - up});
  }
  process.exchange(receives, sends);
}

Result<program::Program> make_halo2d(const Parameters& parameters) {
  const auto grid = Grid::from(parameters, 2);
  if (!grid) return fail(grid.error());
  const auto run = [&](Process& process) {
    for (std::int64_t turn = 0; turn < parameters.integer("iterations"); ++turn) {
      process.compute(parameters.duration("compute"));
      exchange_axis(process, *grid, 0, parameters.size("size_x"));
      exchange_axis(process, *grid, 1, parameters.size("size_y"));
    }
  };
  return make_ranks(static_cast<std::uint32_t>(parameters.integer("ranks")), "halo2d", run);
}

// The cells of one rank, and what a neighbour needs of them.
struct Cells {
  Point sides{};
  std::int64_t bytes_per_cell = 0;

  [[nodiscard]] double count() const {
    return static_cast<double>(sides[0]) * static_cast<double>(sides[1]) *
           static_cast<double>(sides[2]);
  }
  // In a direction of -1, 0 and 1: a face, an edge or a corner.
  [[nodiscard]] DataSize border(const Point& direction) const {
    std::int64_t cells = 1;
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (direction[axis] == 0) cells *= sides[axis];
    return bytes(cells * bytes_per_cell);
  }
};

// With all neighbours, also those at edges and corners.
void exchange_all(Process& process, const Grid& grid, const Cells& cells) {
  const Point here = grid.point(process.rank());
  std::vector<Message> receives;
  std::vector<Message> sends;
  for (std::uint32_t which = 0; which < 27; ++which) {
    const Point direction = {which % 3 - 1L, which / 3 % 3 - 1L, which / 9 - 1L};
    const auto peer =
        grid.rank({here[0] + direction[0], here[1] + direction[1], here[2] + direction[2]});
    if (!peer || which == 13) continue;  // the rank itself is in the middle
    sends.push_back({*peer, cells.border(direction), which});
    receives.push_back({*peer, cells.border(direction), 26 - which});
  }
  process.exchange(receives, sends);
}

void exchange_axes(Process& process, const Grid& grid, const Cells& cells) {
  for (int axis = 0; axis < 3; ++axis) {
    Point direction{};
    direction[static_cast<std::size_t>(axis)] = 1;
    exchange_axis(process, grid, axis, cells.border(direction));
  }
}

Result<Cells> cells_of(const Parameters& parameters) {
  const std::vector<std::int64_t>& sides = parameters.list("cells");
  if (sides.size() != 3) return fail("'cells' must have 3 sides", {.path = "cells"});
  return Cells{{sides[0], sides[1], sides[2]},
               parameters.integer("fields") * parameters.integer("width")};
}

Result<program::Program> make_halo3d(const Parameters& parameters) {
  const auto grid = Grid::from(parameters, 3);
  const auto cells = cells_of(parameters);
  Errors errors = grid ? Errors{} : grid.error();
  if (!cells) errors.push_back(cells.error().front());
  if (!errors.empty()) return fail(std::move(errors));
  const double operations = cells->count() * static_cast<double>(parameters.integer("fields")) *
                            static_cast<double>(parameters.integer("flops_per_cell"));
  const Duration compute = time_of(operations, parameters.integer("flops"));
  const auto run = [&](Process& process) {
    for (std::int64_t turn = 0; turn < parameters.integer("iterations"); ++turn) {
      process.compute(compute);
      if (parameters.choice("neighbours") == "26") {
        exchange_all(process, *grid, *cells);
      } else {
        exchange_axes(process, *grid, *cells);
      }
      if (parameters.choice("reduce") == "yes")
        process.take_part({.kind = program::Collective::Kind::all_reduce, .size = bytes(8)});
    }
  };
  return make_ranks(static_cast<std::uint32_t>(parameters.integer("ranks")), "halo3d", run);
}

}  // namespace

Application halo2d::application() {
  const Range<DataSize> sizes{bytes(1), bytes(std::int64_t{1} << 40U)};
  return {.name = "halo2d",
          .summary = "borders exchanged with up to 4 neighbours of a grid, in x and then in y",
          .parameters = {ranks_parameter(),
                         grid_parameter(),
                         {"size_x", sizes, "128B", "message to a neighbour in x"},
                         {"size_y", sizes, "128B", "message to a neighbour in y"},
                         {"compute", Range<Duration>{Duration{}, std::chrono::hours(1)}, "10ns",
                          "of each rank before each exchange, in whole nanoseconds"},
                         turns_parameter()},
          .make = make_halo2d};
}

Application halo3d::application() {
  return {.name = "halo3d",
          .summary = "borders exchanged with up to 6 or 26 neighbours of a grid, and an all-reduce",
          .parameters = {ranks_parameter(),
                         grid_parameter(),
                         {"neighbours", Choice{{"6", "26"}}, "6", "26: edges and corners, too"},
                         {"cells", WholeList{1, 100'000}, "100x100x100", "of each rank"},
                         {"fields", Range<std::int64_t>{1, 10'000}, "1", "values of a cell"},
                         {"width", Range<std::int64_t>{1, 64}, "8", "bytes of a value"},
                         {"reduce", Choice{{"yes", "no"}}, "yes", "an all-reduce of 8 bytes"},
                         {"flops_per_cell", Range<std::int64_t>{0, 1'000'000'000}, "26",
                          "operations for each value of a cell"},
                         flops_parameter("10000000000"),
                         turns_parameter()},
          .make = make_halo3d};
}

}  // namespace ebb::applications
