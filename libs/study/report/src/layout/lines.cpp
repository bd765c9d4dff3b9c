// SPDX-License-Identifier: Apache-2.0
#include "layout/lines.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace ebb::report {
namespace {

// Over the distance of neighbours. Below one half, so that no line comes near the next row; the
// farther a line leads, the more it stands off, so that lines of a row keep apart.
constexpr double kBendAround = 0.42;
constexpr double kBendParallel = 0.1;
constexpr double kNear = 1e-6;

// Whether `c` lies on the line from a to b, between them.
bool lies_between(Point a, Point b, Point c) {
  const Point way{b.x - a.x, b.y - a.y};
  const Point to{c.x - a.x, c.y - a.y};
  const double length = way.x * way.x + way.y * way.y;
  const double along = way.x * to.x + way.y * to.y;
  const double across = way.x * to.y - way.y * to.x;
  return std::abs(across) < kNear * length && along > kNear * length &&
         along < length * (1 - kNear);
}

double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

// Of the two that stand closest together.
double least_distance(const std::vector<Point>& places) {
  double least = 1;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) least = std::min(least, distance(places[i], places[j]));
  }
  return least;
}

bool is_blocked(const std::vector<Point>& places, std::uint32_t a, std::uint32_t b) {
  return std::any_of(places.begin(), places.end(),
                     [&](Point c) { return lies_between(places[a], places[b], c); });
}

}  // namespace

std::vector<Line> lines_between(const topology::Graph& graph, const std::vector<Point>& places) {
  const double near = least_distance(places);
  std::vector<Line> lines;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> parallel;
  for (std::uint32_t i = 0; i < graph.link_count(); ++i) {
    const topology::Link& link = graph.links()[i];
    if (graph.is_host(link.a) || graph.is_host(link.b)) continue;
    const std::uint32_t a = index(link.a);
    const std::uint32_t b = index(link.b);
    const std::uint32_t before = parallel[std::minmax(a, b)]++;
    double bend = before * kBendParallel * near;
    if (is_blocked(places, a, b))
      bend += kBendAround * near * (1 - near / distance(places[a], places[b]));
    lines.push_back({topology::LinkId{i}, a < b ? bend : -bend});
  }
  return lines;
}

}  // namespace ebb::report
