// SPDX-License-Identifier: Apache-2.0
#include "layout/lines.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace ebb::report {
namespace {

constexpr double kBendAround = 0.16;
constexpr double kBendParallel = 0.07;
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

bool is_blocked(const std::vector<Point>& places, std::uint32_t a, std::uint32_t b) {
  return std::any_of(places.begin(), places.end(),
                     [&](Point c) { return lies_between(places[a], places[b], c); });
}

}  // namespace

std::vector<Line> lines_between(const topology::Graph& graph, const std::vector<Point>& places) {
  std::vector<Line> lines;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> parallel;
  for (std::uint32_t i = 0; i < graph.link_count(); ++i) {
    const topology::Link& link = graph.links()[i];
    if (graph.is_host(link.a) || graph.is_host(link.b)) continue;
    const std::uint32_t a = index(link.a);
    const std::uint32_t b = index(link.b);
    const std::uint32_t before = parallel[std::minmax(a, b)]++;
    const double bend = (is_blocked(places, a, b) ? kBendAround : 0) + before * kBendParallel;
    lines.push_back({topology::LinkId{i}, a < b ? bend : -bend});
  }
  return lines;
}

}  // namespace ebb::report
