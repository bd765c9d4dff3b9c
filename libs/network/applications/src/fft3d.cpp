// SPDX-License-Identifier: Apache-2.0
//
// A three-dimensional Fourier transform of real numbers on a grid of ranks ("pencils"), there and
// back, as the motif FFT3D of SST Ember:
//
//   transforms in x, all-to-all in the column of the rank, transforms in y, all-to-all in its row,
//   transforms in z, barrier; and the same backwards.
//
// Of the nx / 2 + 1 complex numbers of a line in x each rank of a column has a part, of the ny
// lines in y, too, and of the nz in z each rank of a row. What does not divide evenly is given to
// the first ranks, so messages differ by rank.
#include "applications.hpp"
#include "grid.hpp"
#include "process.hpp"

#include <cmath>
#include <vector>

namespace ebb::applications {
namespace {

constexpr std::int64_t kComplex = 16;  // bytes

// How many of `all` the rank `which` of `parts` has.
std::int64_t part_of(std::int64_t all, std::int64_t parts, std::int64_t which) {
  return all / parts + (which < all % parts ? 1 : 0);
}

struct Transform {
  Grid grid;  // rows in x, columns in y
  Point n{};  // points of the whole box
  std::int64_t per_second = 0;

  [[nodiscard]] std::int64_t rows() const { return grid.side(0); }
  [[nodiscard]] std::int64_t columns() const { return grid.side(1); }
};

// Each rank of a group sends each other one what that one needs: `sent` by number in the group.
void all_to_all(Process& process, const std::vector<std::uint32_t>& group, std::int64_t me,
                const std::vector<std::int64_t>& sent, const std::vector<std::int64_t>& received,
                std::uint32_t tag) {
  const auto size = static_cast<std::int64_t>(group.size());
  for (std::int64_t step = 1; step < size; ++step) {  // pairwise, as for long messages
    const auto to = static_cast<std::size_t>((me + step) % size);
    const auto from = static_cast<std::size_t>((me - step + size) % size);
    process.exchange({{group[from], bytes(received[from]), tag}},
                     {{group[to], bytes(sent[to]), tag}});
  }
}

// In the column of the rank: x is gathered and y is divided, or back.
void transpose_column(Process& process, const Transform& fft, bool forward) {
  const Point here = fft.grid.point(process.rank());
  std::vector<std::uint32_t> group;
  std::vector<std::int64_t> sent;
  std::vector<std::int64_t> received;
  const std::int64_t half = fft.n[0] / 2 + 1;
  const std::int64_t layers = part_of(fft.n[2], fft.columns(), here[1]);
  for (std::int64_t row = 0; row < fft.rows(); ++row) {
    group.push_back(fft.grid.periodic({row, here[1], 0}));
    const auto block = [&](std::int64_t x, std::int64_t y) {
      return kComplex * layers * part_of(half, fft.rows(), x) * part_of(fft.n[1], fft.rows(), y);
    };
    sent.push_back(forward ? block(row, here[0]) : block(here[0], row));
    received.push_back(forward ? block(here[0], row) : block(row, here[0]));
  }
  all_to_all(process, group, here[0], sent, received, 1);
}

// In its row: y is divided over the columns instead of z, or back.
void transpose_row(Process& process, const Transform& fft, bool forward) {
  const Point here = fft.grid.point(process.rank());
  std::vector<std::uint32_t> group;
  std::vector<std::int64_t> sent;
  std::vector<std::int64_t> received;
  const std::int64_t x = part_of(fft.n[0] / 2 + 1, fft.rows(), here[0]);
  for (std::int64_t column = 0; column < fft.columns(); ++column) {
    group.push_back(fft.grid.periodic({here[0], column, 0}));
    const auto block = [&](std::int64_t y, std::int64_t z) {
      return kComplex * x * part_of(fft.n[1], fft.columns(), y) *
             part_of(fft.n[2], fft.columns(), z);
    };
    sent.push_back(forward ? block(column, here[1]) : block(here[1], column));
    received.push_back(forward ? block(here[1], column) : block(column, here[1]));
  }
  all_to_all(process, group, here[1], sent, received, 2);
}

// 5 n log2 n operations for a line of n points, the usual count; each rank has its share of lines.
Duration transform_time(const Transform& fft, std::size_t axis) {
  const auto n = static_cast<double>(fft.n[axis]);
  const auto half = fft.n[0] / 2 + 1;
  auto points = static_cast<double>(half);
  points *= static_cast<double>(fft.n[1]) * static_cast<double>(fft.n[2]);
  return time_of(5 * points * std::log2(n) / static_cast<double>(fft.rows() * fft.columns()),
                 fft.per_second);
}

Result<program::Program> make_fft3d(const Parameters& parameters) {
  const auto grid = Grid::from(parameters, 2);
  Errors errors = grid ? Errors{} : grid.error();
  const std::vector<std::int64_t>& n = parameters.list("points");
  if (n.size() != 3) errors.push_back({"'points' must have 3 sides", {.path = "points"}});
  if (!errors.empty()) return fail(std::move(errors));
  const Transform fft{*grid, {n[0], n[1], n[2]}, parameters.integer("flops")};
  const auto run = [&](Process& process) {
    for (std::int64_t turn = 0; turn < 2 * parameters.integer("iterations"); ++turn) {
      const bool forward = turn % 2 == 0;
      process.compute(transform_time(fft, forward ? 0 : 2));
      forward ? transpose_column(process, fft, true) : transpose_row(process, fft, false);
      process.compute(transform_time(fft, 1));
      forward ? transpose_row(process, fft, true) : transpose_column(process, fft, false);
      process.compute(transform_time(fft, forward ? 2 : 0));
      process.take_part({.kind = program::Collective::Kind::barrier});
    }
  };
  return make_ranks(static_cast<std::uint32_t>(parameters.integer("ranks")), "fft3d", run);
}

}  // namespace

Application fft3d::application() {
  return {.name = "fft3d",
          .summary =
              "a Fourier transform in three dimensions, there and back: all-to-alls in "
              "columns and rows of ranks",
          .parameters = {ranks_parameter(),
                         grid_parameter(),
                         {"points", WholeList{2, 1'000'000}, "100x100x100", "of the whole box"},
                         flops_parameter("1000000000"),
                         {"iterations", Range<std::int64_t>{1, 1'000'000}, "1",
                          "how many times, each there and back"}},
          .make = make_fft3d};
}

}  // namespace ebb::applications
