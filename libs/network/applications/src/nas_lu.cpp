// SPDX-License-Identifier: Apache-2.0
//
// LU: the Navier-Stokes equations on n x n x n points by symmetric successive over-relaxation. The
// ranks are a grid in x and y, a power of two of them, with as many in x as in y or twice as many;
// each has columns of all n points in z.
//
// An iteration is a wavefront through the grid from its first corner, plane by plane, and one back:
// in each of the n - 2 inner planes a rank receives one line of five numbers for each point from
// both neighbours before it, computes, and sends one to both after it. Lines leave out points at
// the border of the box. Then borders of the right-hand side, two points deep, are exchanged, with
// the neighbours in x and then with those in y. (The norms at the end of the run are left out.)
#include "grid.hpp"
#include "nas.hpp"

#include <bit>

namespace ebb::applications {
namespace {

constexpr OfClass<std::int64_t> kLuSides = {64, 102, 162};
constexpr std::int64_t kLuIterations = 250;
constexpr std::int64_t kUnknowns = 5;
constexpr std::uint32_t kWaveTag = 1;
constexpr std::uint32_t kWaveBackTag = 2;
constexpr std::uint32_t kBorderTag = 3;  // and the direction

// The part of a rank.
struct Columns {
  Grid grid;
  Point here{};
  std::int64_t n = 0;

  // Points along an axis, x or y; the first ranks have one more when they do not divide evenly.
  [[nodiscard]] std::int64_t width(std::size_t axis) const {
    const std::int64_t side = grid.side(static_cast<int>(axis));
    return n / side + (here[axis] < n % side ? 1 : 0);
  }
  [[nodiscard]] std::int64_t inner_width(std::size_t axis) const {
    const std::int64_t last = grid.side(static_cast<int>(axis)) - 1;
    return width(axis) - (here[axis] == 0 ? 1 : 0) - (here[axis] == last ? 1 : 0);
  }
  [[nodiscard]] std::optional<std::uint32_t> neighbour(std::size_t axis, int sign) const {
    Point there = here;
    there[axis] += sign;
    return grid.rank(there);
  }
};

// With a neighbour in x goes a line along y, and the other way round.
std::vector<Message> lines(const Columns& part, int sign, std::uint32_t tag) {
  std::vector<Message> both;
  for (const std::size_t axis : {std::size_t{0}, std::size_t{1}}) {
    if (const auto peer = part.neighbour(axis, sign))
      both.push_back({*peer, doubles(kUnknowns * part.inner_width(1 - axis)), tag});
  }
  return both;
}

void run_wavefront(Process& process, const Columns& part, int sign, Duration step) {
  const std::uint32_t tag = sign > 0 ? kWaveTag : kWaveBackTag;
  const auto receives = lines(part, -sign, tag);
  const auto sends = lines(part, sign, tag);
  for (std::int64_t plane = 2; plane < part.n; ++plane) {
    process.exchange(receives, {});
    process.compute(step);
    process.exchange({}, sends);
  }
}

// Onwards along the axis and then back, as the benchmark does: receive, send, wait.
void exchange_borders(Process& process, const Columns& part, std::size_t axis) {
  const DataSize size = doubles(2 * kUnknowns * part.width(1 - axis) * part.n);
  for (const int sign : {1, -1}) {
    const std::uint32_t tag =
        kBorderTag + 2 * static_cast<std::uint32_t>(axis) + (sign > 0 ? 0 : 1);
    std::vector<Message> receives;
    std::vector<Message> sends;
    if (const auto before = part.neighbour(axis, -sign)) receives.push_back({*before, size, tag});
    if (const auto after = part.neighbour(axis, sign)) sends.push_back({*after, size, tag});
    process.exchange(receives, sends);
  }
}

Grid lu_grid(std::uint32_t ranks) {
  const auto log = static_cast<unsigned>(std::countr_zero(ranks));
  const std::int64_t x = 1LL << ((log + 1) / 2);
  return Grid({x, ranks / x, 1});
}

// Of an iteration, as the benchmark counts them.
double lu_operations(double n) {
  return 1984.77 * n * n * n - 10923.3 * n * n + 27770.9 * n - 144010;
}

// The operations of an iteration are shared evenly by the steps of both wavefronts.
Result<program::Program> make_nas_lu(const Parameters& parameters) {
  const std::int64_t n = of_class(kLuSides, parameters);
  const std::int64_t widest = std::int64_t{1}
                              << (std::bit_width(static_cast<std::uint64_t>(n / 3)) - 1);
  Errors errors =
      validate_ranks(parameters.integer("ranks"),
                     "a power of two of ranks, with 3 points or more in x and y for each",
                     widest * widest, is_power_of_two);
  if (!errors.empty()) return fail(std::move(errors));
  const double steps = 2 * static_cast<double>(n - 2);
  const Duration step = nas_time(parameters, lu_operations(static_cast<double>(n)) / steps);
  const auto run = [&](Process& process) {
    const Grid grid = lu_grid(process.ranks());
    const Columns part{grid, grid.point(process.rank()), n};
    for (std::int64_t turn = 0; turn < nas_iterations(parameters, kLuIterations); ++turn) {
      run_wavefront(process, part, 1, step);
      run_wavefront(process, part, -1, step);
      exchange_borders(process, part, 0);
      exchange_borders(process, part, 1);
    }
  };
  return make_ranks(nas_ranks(parameters), "nas-lu", run);
}

}  // namespace

Application nas_lu::application() {
  return {.name = "nas-lu",
          .summary = "NAS LU, over-relaxation: wavefronts through a grid of ranks, there and back",
          .parameters = nas_parameters(),
          .make = make_nas_lu};
}

}  // namespace ebb::applications
