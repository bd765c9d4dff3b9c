// SPDX-License-Identifier: Apache-2.0
//
// BT and SP: the Navier-Stokes equations on n x n x n points by lines in x, y and z, with 5 x 5
// blocks (BT) or with five diagonals (SP). The box is cut into q x q x q cells for q x q ranks, and
// each rank has q cells on a diagonal, so that it has one cell in every plane of cells: whichever
// way a sweep goes, all ranks work ("multipartition").
//
// An iteration exchanges the faces of all cells, two points deep and five numbers each, with six
// neighbours at once. Then for each axis the lines are solved cell by cell, q - 1 messages onwards
// and q - 1 back:
//
//   BT  30 numbers onwards and 5 back for each line of the largest cell, n / q + 1 points wide
//   SP  22 numbers onwards and 10 back for each line of the cell, those at the border of the box
//       left out
#include "grid.hpp"
#include "nas.hpp"

#include <array>

namespace ebb::applications {
namespace {

constexpr OfClass<std::int64_t> kBoxSides = {64, 102, 162};
constexpr std::uint32_t kFaceTag = 10;     // and the direction
constexpr std::uint32_t kOnwardsTag = 20;  // and the axis
constexpr std::uint32_t kBackTag = 30;

// The cells of a box, and their ranks.
class Multipartition {
 public:
  Multipartition(std::int64_t points, std::int64_t cells) : n_(points), q_(cells) {}

  [[nodiscard]] std::int64_t cells() const { return q_; }
  [[nodiscard]] std::int64_t points() const { return n_; }

  // Where the cell of a rank is that lies in a plane of an axis.
  [[nodiscard]] Point cell(std::uint32_t rank, std::size_t axis, std::int64_t plane) const {
    const std::int64_t i = rank % q_;
    const std::int64_t j = rank / q_;
    if (axis == 0) return {plane, modulo(j + i - plane), modulo(plane - i)};
    if (axis == 1) return {modulo(i + j - plane), plane, modulo(j - plane)};
    return {modulo(i + plane), modulo(j - plane), plane};
  }
  // Points of a cell along an axis: the first cells have one more when they do not divide evenly.
  [[nodiscard]] std::int64_t width(std::int64_t plane) const {
    return n_ / q_ + (plane < n_ % q_ ? 1 : 0);
  }
  // Without those at the border of the box.
  [[nodiscard]] std::int64_t inner_width(std::int64_t plane) const {
    return width(plane) - (plane == 0 ? 1 : 0) - (plane == q_ - 1 ? 1 : 0);
  }
  // The rank that has the next cell in each line along the axis, and the one before.
  [[nodiscard]] std::uint32_t successor(std::uint32_t rank, std::size_t axis) const {
    return neighbour(rank, axis, 1);
  }
  [[nodiscard]] std::uint32_t predecessor(std::uint32_t rank, std::size_t axis) const {
    return neighbour(rank, axis, -1);
  }

  // Numbers that a rank sends to its successor (or predecessor): its cells that have a next one.
  [[nodiscard]] std::int64_t faces(std::uint32_t rank, std::size_t axis, bool onwards) const {
    std::int64_t numbers = 0;
    for (std::int64_t plane = 0; plane < q_; ++plane) {
      if (plane == (onwards ? q_ - 1 : 0)) continue;
      const Point at = cell(rank, axis, plane);
      std::int64_t lines = 1;
      for (std::size_t other = 0; other < 3; ++other)
        if (other != axis) lines *= width(at[other]);
      numbers += lines * 2 * 5;
    }
    return numbers;
  }

 private:
  [[nodiscard]] std::int64_t modulo(std::int64_t number) const { return (number % q_ + q_) % q_; }

  [[nodiscard]] std::uint32_t neighbour(std::uint32_t rank, std::size_t axis, int sign) const {
    std::int64_t i = rank % q_;
    std::int64_t j = rank / q_;
    if (axis == 0) i += sign;
    if (axis == 1) j += sign;
    if (axis == 2) {
      i -= sign;
      j += sign;
    }
    return static_cast<std::uint32_t>(modulo(i) + q_ * modulo(j));
  }

  std::int64_t n_;
  std::int64_t q_;
};

// What one of the two benchmarks sends for a plane of cells, in numbers.
struct Solver {
  std::int64_t (*onwards)(const Multipartition&, const Point& cell, std::size_t axis) = nullptr;
  std::int64_t (*back)(const Multipartition&, const Point& cell, std::size_t axis) = nullptr;
  double (*operations)(double n) = nullptr;  // of an iteration, as the benchmark counts them
  std::int64_t iterations = 0;
};

std::int64_t largest_lines(const Multipartition& box) {
  const std::int64_t side = box.points() / box.cells() + 1;
  return side * side;
}

std::int64_t inner_lines(const Multipartition& box, const Point& cell, std::size_t axis) {
  std::int64_t lines = 1;
  for (std::size_t other = 0; other < 3; ++other)
    if (other != axis) lines *= box.inner_width(cell[other]);
  return lines;
}

constexpr Solver kBt = {
    [](const Multipartition& box, const Point&, std::size_t) { return 30 * largest_lines(box); },
    [](const Multipartition& box, const Point&, std::size_t) { return 5 * largest_lines(box); },
    [](double n) { return 3478.8 * n * n * n - 17655.7 * n * n + 28023.7 * n; }, 200};

constexpr Solver kSp = {
    [](const Multipartition& box, const Point& cell, std::size_t axis) {
      return 22 * inner_lines(box, cell, axis);
    },
    [](const Multipartition& box, const Point& cell, std::size_t axis) {
      return 10 * inner_lines(box, cell, axis);
    },
    [](double n) { return 881.174 * n * n * n - 4683.91 * n * n + 11484.5 * n - 19272.4; }, 400};

void exchange_faces(Process& process, const Multipartition& box) {
  const std::uint32_t me = process.rank();
  std::vector<Message> receives;
  std::vector<Message> sends;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::uint32_t next = box.successor(me, axis);
    const std::uint32_t before = box.predecessor(me, axis);
    const std::uint32_t tag = kFaceTag + 2 * static_cast<std::uint32_t>(axis);
    receives.push_back({next, doubles(box.faces(next, axis, false)), tag + 1});
    receives.push_back({before, doubles(box.faces(before, axis, true)), tag});
    sends.push_back({next, doubles(box.faces(me, axis, true)), tag});
    sends.push_back({before, doubles(box.faces(me, axis, false)), tag + 1});
  }
  process.exchange(receives, sends);
}

// Cell by cell; a stage is what a rank computes on one of its cells. It receives while it sends the
// result of the cell before.
void solve_lines(Process& process, const Multipartition& box, const Solver& solver,
                 std::size_t axis, Duration stage) {
  const std::uint32_t me = process.rank();
  const std::uint32_t next = box.successor(me, axis);
  const std::uint32_t before = box.predecessor(me, axis);
  const auto tag = static_cast<std::uint32_t>(axis);
  const auto sent = [&](auto numbers, std::int64_t plane) {
    return doubles(numbers(box, box.cell(me, axis, plane), axis));
  };
  const std::int64_t last = box.cells() - 1;
  process.compute(stage);
  for (std::int64_t plane = 0; plane < last; ++plane) {
    process.exchange({{before, sent(solver.onwards, plane + 1), kOnwardsTag + tag}},
                     {{next, sent(solver.onwards, plane), kOnwardsTag + tag}});
    process.compute(stage);
  }
  process.compute(stage);
  for (std::int64_t plane = last; plane > 0; --plane) {
    process.exchange({{next, sent(solver.back, plane - 1), kBackTag + tag}},
                     {{before, sent(solver.back, plane), kBackTag + tag}});
    process.compute(stage);
  }
}

// A quarter of the operations of an iteration belongs to the faces and the right-hand side, and a
// quarter to each axis, of which the 2 q stages have the same share.
Result<program::Program> make_line_solver(const Parameters& parameters, const Solver& solver,
                                          const std::string& name) {
  const std::int64_t n = of_class(kBoxSides, parameters);
  const std::int64_t ranks = parameters.integer("ranks");
  Errors errors = validate_ranks(
      ranks, "a square number of ranks, whose root is at most a third of the points of a side",
      n / 3 * (n / 3), [](std::int64_t number) { return square_root(number).has_value(); });
  if (!errors.empty()) return fail(std::move(errors));
  const Multipartition box(n, square_root(ranks).value_or(1));
  const double operations = solver.operations(static_cast<double>(n));
  const Duration rest = nas_time(parameters, operations / 4);
  const Duration stage =
      nas_time(parameters, operations / 4 / (2 * static_cast<double>(box.cells())));
  const auto run = [&](Process& process) {
    for (std::int64_t turn = 0; turn < nas_iterations(parameters, solver.iterations); ++turn) {
      exchange_faces(process, box);
      process.compute(rest);
      for (std::size_t axis = 0; axis < 3; ++axis) solve_lines(process, box, solver, axis, stage);
    }
  };
  return make_ranks(nas_ranks(parameters), name, run);
}

}  // namespace

Application nas_bt::application() {
  return {.name = "nas-bt",
          .summary = "NAS BT, block-tridiagonal lines: faces of cells, and sweeps in x, y and z",
          .parameters = nas_parameters(),
          .make = [](const Parameters& given) { return make_line_solver(given, kBt, "nas-bt"); }};
}

Application nas_sp::application() {
  return {.name = "nas-sp",
          .summary = "NAS SP, pentadiagonal lines: faces of cells, and sweeps in x, y and z",
          .parameters = nas_parameters(),
          .make = [](const Parameters& given) { return make_line_solver(given, kSp, "nas-sp"); }};
}

}  // namespace ebb::applications
