// SPDX-License-Identifier: Apache-2.0
#include "hpc_programs.hpp"

#include <functional>
#include <utility>

namespace ebb::repro {
namespace {

constexpr std::int64_t kDouble = 8;  // bytes

// HPL
constexpr std::int64_t kOrder = 234'960;
constexpr std::uint32_t kRows = 6;
constexpr std::uint32_t kColumns = 88;
constexpr double kFlops = 3.21e12;

using RankAt = std::function<std::uint32_t(std::uint32_t row, std::uint32_t column)>;

// Each panel, (N - j) / P rows of NB columns, goes around its row of ranks but for the last step.
Phase panel_broadcast(const RankAt& rank) {
  const std::int64_t panels = kOrder * kOrder / 2 / kRows * kDouble;
  Phase phase{{}, true};
  for (std::uint32_t p = 0; p < kRows; ++p) {
    for (std::uint32_t q = 0; q < kColumns; ++q) {
      phase.messages.push_back(
          {rank(p, q), rank(p, (q + 1) % kColumns), panels / kColumns * (kColumns - 1)});
    }
  }
  return phase;
}

// The rows that pivoting moves, NB x (N - j) / Q for each column of ranks, are spread from their
// owner (which changes from panel to panel) and rolled around the column.
Phase row_swap(const RankAt& rank) {
  const std::int64_t rows = kOrder * kOrder / 2 / kColumns * kDouble;
  Phase phase;
  for (std::uint32_t q = 0; q < kColumns; ++q) {
    for (std::uint32_t p = 0; p < kRows; ++p) {
      phase.messages.push_back({rank(p, q), rank((p + 1) % kRows, q), rows / kRows * (kRows - 1)});
      for (std::uint32_t to = 0; to < kRows; ++to) {
        if (to != p) phase.messages.push_back({rank(p, q), rank(to, q), rows / kRows / kRows});
      }
    }
  }
  return phase;
}

// NAS, class C, 64 ranks
constexpr std::uint32_t kRanks = 64;
constexpr std::int64_t kPairs = std::int64_t{kRanks} * kRanks;
constexpr std::int64_t kGrid = 162;  // points along an edge, in BT and LU
constexpr std::uint32_t kSide = 8;   // of the square of ranks in BT, CG, LU

Phase all_to_all(std::int64_t bytes) {
  Phase phase;
  for (std::uint32_t from = 0; from < kRanks; ++from) {
    for (std::uint32_t to = 0; to < kRanks; ++to) {
      if (from != to) phase.messages.push_back({from, to, bytes});
    }
  }
  return phase;
}

using Partner = std::function<std::uint32_t(std::uint32_t rank)>;

Phase with_partners(std::int64_t bytes, const std::vector<Partner>& partners) {
  Phase phase;
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
    for (const Partner& partner : partners) {
      if (partner(rank) != rank) phase.messages.push_back({rank, partner(rank), bytes});
    }
  }
  return phase;
}

// A step on the torus of kSide x kSide ranks.
Partner step(std::uint32_t down, std::uint32_t right) {
  return [=](std::uint32_t rank) {
    const std::uint32_t row = (rank / kSide + down) % kSide;
    return row * kSide + (rank + right) % kSide;
  };
}

// The same without going around the edges: a rank there is its own partner.
Partner step_inside(int down, int right) {
  return [=](std::uint32_t rank) {
    const int row = static_cast<int>(rank / kSide) + down;
    const int column = static_cast<int>(rank % kSide) + right;
    const int side = static_cast<int>(kSide);
    if (row < 0 || row >= side || column < 0 || column >= side) return rank;
    return static_cast<std::uint32_t>(row * side + column);
  };
}

// 150,000 rows, 75 x 26 products: partial sums within a row of ranks, then the transpose.
Program conjugate_gradient() {
  const std::int64_t bytes = 150'000 / kSide * kDouble * 75 * 26;
  Program program{"CG", 1, 1, {}, 29.412 / 37.270};
  for (const std::uint32_t bit : {1U, 2U, 4U}) {
    program.phases.push_back(
        with_partners(bytes, {[bit](std::uint32_t rank) { return rank ^ bit; }}));
  }
  program.phases.push_back(with_partners(
      bytes, {[](std::uint32_t rank) { return rank % kSide * kSide + rank / kSide; }}));
  return program;
}

// 162^3, 200 steps, 8 cells a rank: faces two deep (10 values), then sweeps along three directions
// with 30 values forwards and 5 back.
Program block_tridiagonal() {
  constexpr std::int64_t kFace = kGrid * kGrid / (std::int64_t{kSide} * kSide);
  constexpr std::int64_t kSteps = 200;
  const auto sweep = [](std::int64_t values) {
    return values * kFace * kDouble * (kSide - 1) * kSteps;
  };
  const std::vector<std::pair<Partner, Partner>> directions = {
      {step(0, 1), step(0, kSide - 1)},
      {step(1, 0), step(kSide - 1, 0)},
      {step(kSide - 1, kSide - 1), step(1, 1)}};
  Program program{"BT", 1, 1, {}, 31.014 / 82.719};
  std::vector<Partner> neighbours;
  for (const auto& [next, before] : directions) {
    neighbours.push_back(next);
    neighbours.push_back(before);
    program.phases.push_back(with_partners(sweep(30), {next}));
    program.phases.push_back(with_partners(sweep(5), {before}));
  }
  program.phases.push_back(with_partners(kFace * 10 * kDouble * kSide * kSteps, neighbours));
  return program;
}

// 162^3, 250 steps: a pencil of 5 values in each of 160 planes, down and up; faces two deep (10
// values).
Program lower_upper() {
  constexpr std::int64_t kSteps = 250;
  constexpr std::int64_t kPencils = 5 * kGrid / kSide * kDouble * 160 * kSteps;
  constexpr std::int64_t kFaces = kGrid * 10 / kSide * kGrid * kDouble * kSteps;
  Program program{"LU", 1, 1, {}, 0.4};
  program.phases = {with_partners(kPencils, {step_inside(1, 0), step_inside(0, 1)}),
                    with_partners(kPencils, {step_inside(-1, 0), step_inside(0, -1)}),
                    with_partners(kFaces, {step_inside(1, 0), step_inside(-1, 0)}),
                    with_partners(kFaces, {step_inside(0, 1), step_inside(0, -1)})};
  return program;
}

// 512^3, 20 cycles, 4 x 4 x 4 ranks of 128^3: faces axis by axis, four exchanges on each level, and
// coarser levels add a third.
Program multigrid() {
  const std::int64_t bytes = std::int64_t{128} * 128 * kDouble * 4 * 4 / 3 * 20;
  Program program{"MG", 1, 1, {}, 0.5};
  for (const std::uint32_t stride : {1U, 4U, 16U}) {
    const auto along = [stride](std::uint32_t by) {
      return [=](std::uint32_t rank) {
        const std::uint32_t place = rank / stride % 4;
        return rank - place * stride + (place + by) % 4 * stride;
      };
    };
    program.phases.push_back(with_partners(bytes, {along(1), along(3)}));
  }
  return program;
}

}  // namespace

Program hpl(RankOrder order) {
  const bool by_row = order == RankOrder::by_row;
  const RankAt rank = [=](std::uint32_t row, std::uint32_t column) {
    return by_row ? row * kColumns + column : column * kRows + row;
  };
  Program program{by_row ? "HPL, ranks by row" : "HPL, ranks by column", 8, 2, {}};
  program.phases = {panel_broadcast(rank), row_swap(rank)};
  const auto n = static_cast<double>(kOrder);
  program.seconds = 2.0 / 3.0 * n * n * n / kFlops;
  return program;
}

std::vector<Program> nas_benchmarks() {
  const std::int64_t grid = std::int64_t{512} * 512 * 512 * 16 / kPairs * 20;
  const std::int64_t keys = (std::int64_t{1} << 27) * 4 / kPairs * 10;
  return {block_tridiagonal(),
          conjugate_gradient(),
          {"FT", 1, 1, {all_to_all(grid)}, 23.037 / 28.182},
          {"IS", 1, 1, {all_to_all(keys)}, 0.8},
          lower_upper(),
          multigrid()};
}

}  // namespace ebb::repro
