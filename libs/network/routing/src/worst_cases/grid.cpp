// SPDX-License-Identifier: Apache-2.0
//
// Worst cases on grids: c hosts per switch, k_i switches along dimension i, m_i links side by side.
//
// Dimension order. A packet on a link of dimension i has the coordinates below i of its destination
// and those above i of its source. So over one line of k switches pass packets from A = k_1 ..
// k_(i-1) sources per coordinate of the line to B = k_(i+1) .. k_n destinations per coordinate. The
// most that a permutation can send over one link of the line, in switches' worth of traffic:
//
//   fbfly  one source coordinate, one destination coordinate: min(A, B);
//   mesh   the link from p to p+1 has p+1 coordinates before it and k-1-p behind it:
//          max over p of min((p+1) A, (k-1-p) B);
//   torus  a coordinates before the link, b behind it, a + b + 1 < k/2, and half of the traffic of
//          those that are k/2 apart: (ceil(k/2) - 1) min(A, B), and for an even k half of
//          min(A, B, |A - B|) more.
//
// This is the greatest over all permutations, because a permutation is a matching of sources with
// destinations ("Worst-case traffic for oblivious routing functions").
//
// Minimal-adaptive on fbfly: the c hosts of a switch send to the next switch of the dimension with
// the fewest parallel links. There is one shortest path, whatever the routing sees.
//
// Valiant and UGAL on fbfly: see docs/models/worst-case.md.

#include "worst_cases.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ebb::routing::worst {
namespace {

struct Line {
  std::int64_t k = 0;
  std::int64_t m = 0;
  std::int64_t below = 1;  // A
  std::int64_t above = 1;  // B
  std::int64_t shift = 0;  // hosts between two neighbours of the line
};

struct Lines {
  std::int64_t c = 0;
  std::int64_t switches = 1;
  std::vector<Line> lines;  // of more than one switch
};

Lines lines_of(const Parameters& parameters) {
  const auto& dims = parameters.list("dims");
  const auto& parallel = parameters.list("parallel");
  Lines grid{.c = parameters.integer("hosts")};
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int64_t m = parallel[parallel.size() == 1 ? 0 : i];
    if (dims[i] > 1) grid.lines.push_back({dims[i], m, grid.switches, 1, grid.c * grid.switches});
    grid.switches *= dims[i];
  }
  for (Line& line : grid.lines) line.above = grid.switches / line.k / line.below;
  return grid;
}

// Twice the traffic over the busiest link of a line, in switches' worth; twice, because a torus has
// halves.
using TwiceLoad = std::int64_t (*)(const Line&);

std::int64_t twice_fbfly(const Line& line) { return 2 * std::min(line.below, line.above); }

std::int64_t twice_mesh(const Line& line) {
  std::int64_t most = 0;
  for (std::int64_t before = 1; before < line.k; ++before)
    most = std::max(most, std::min(before * line.below, (line.k - before) * line.above));
  return 2 * most;
}

std::int64_t twice_torus(const Line& line) {
  const std::int64_t fewer = std::min(line.below, line.above);
  if (line.k == 2) return 2 * fewer;
  const std::int64_t whole = 2 * ((line.k + 1) / 2 - 1) * fewer;
  const std::int64_t more = std::max(line.below, line.above) - fewer;
  return whole + (line.k % 2 == 0 ? std::min(fewer, more) : 0);
}

// A smaller share first.
template <class Share>
const Line& scarcest(const Lines& grid, Share share_of) {
  return *std::min_element(grid.lines.begin(), grid.lines.end(),
                           [&](const Line& a, const Line& b) { return share_of(a) < share_of(b); });
}

double ordered_share(const Lines& grid, const Line& line, TwiceLoad twice) {
  return share(2 * line.m, twice(line) * grid.c);
}

WorstCase dimension_order(const Lines& grid, TwiceLoad twice, const std::string& permutation) {
  const auto of = [&](const Line& line) { return ordered_share(grid, line, twice); };
  return {"dimension-order", Paths::minimal, permutation, of(scarcest(grid, of))};
}

// Every coordinate moves by ceil(k/2) - 1, over as many links the same way round.
double tornado_share(const Lines& grid) {
  double least = 1;
  for (const Line& line : grid.lines)
    least = std::min(least, share(line.m, (line.k - 1) / 2 * grid.c));
  return least;
}

// Over intermediate switches that are neither end: N - 2 of them, so that a link of dimension i
// carries 2 c (N / k_i) / (N - 2) / m_i at most. On two switches there is none.
WorstCase valiant_on_fbfly(const Lines& grid) {
  const std::int64_t n = grid.switches;
  const auto of = [&](const Line& line) {
    return n == 2 ? share(line.m, grid.c) : share(line.m * line.k * (n - 2), 2 * grid.c * n);
  };
  const Line& line = scarcest(grid, of);
  // Of two coordinates each is the other's destination, which spares their link; moving along
  // another dimension does not.
  const auto other = std::find_if(grid.lines.begin(), grid.lines.end(),
                                  [&](const Line& one) { return &one != &line; });
  const bool along = line.k > 2 || other == grid.lines.end();
  return {"valiant", Paths::non_minimal, shift_text(along ? line.shift : other->shift), of(line)};
}

WorstCase ugal_on_fbfly(const Lines& grid) {
  const auto of = [&](const Line& line) { return share(line.m * line.k, 2 * grid.c); };
  const Line& line = scarcest(grid, of);
  return {"ugal", Paths::non_minimal, shift_text(line.shift), of(line)};
}

}  // namespace

std::vector<WorstCase> of_fbfly(const Parameters& parameters) {
  const Lines grid = lines_of(parameters);
  if (grid.lines.empty()) return {{"minimal-adaptive", Paths::minimal}};
  const Line& narrow = scarcest(grid, [](const Line& line) { return line.m; });
  const double next = share(narrow.m, grid.c);
  WorstCase ordered = dimension_order(grid, twice_fbfly, kOneLink);
  if (ordered.capacity == next) ordered.permutation = shift_text(narrow.shift);
  return {{"minimal-adaptive", Paths::minimal, shift_text(narrow.shift), next},
          ordered,
          valiant_on_fbfly(grid),
          ugal_on_fbfly(grid)};
}

std::vector<WorstCase> of_torus(const Parameters& parameters) {
  const Lines grid = lines_of(parameters);
  if (grid.lines.empty()) return {{"dimension-order", Paths::minimal}};
  WorstCase ordered = dimension_order(grid, twice_torus, kOneLink);
  const bool wide = std::any_of(grid.lines.begin(), grid.lines.end(),
                                [](const Line& line) { return line.k > 2; });
  if (wide && ordered.capacity == tornado_share(grid)) ordered.permutation = "tornado";
  return {ordered};
}

std::vector<WorstCase> of_mesh(const Parameters& parameters) {
  const Lines grid = lines_of(parameters);
  if (grid.lines.empty()) return {{"dimension-order", Paths::minimal}};
  WorstCase ordered = dimension_order(grid, twice_mesh, kOneLink);
  // Of a square with one host per switch `transpose` swaps the coordinates: all of a row but one go
  // to the same column.
  const std::int64_t hosts = grid.c * grid.switches;
  // On a line `bit-complement` sends each half to the other.
  if (grid.lines.size() == 1 && (hosts & (hosts - 1)) == 0) ordered.permutation = "bit-complement";
  const bool square = grid.lines.size() == 2 && grid.lines[0].k == grid.lines[1].k;
  if (square && grid.c == 1) ordered.permutation = "transpose";
  return {ordered};
}

}  // namespace ebb::routing::worst
