// SPDX-License-Identifier: Apache-2.0
//
// Ways to place switches, in any unit; layout() fits the result into the picture.
#include "ebb/report/layout.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <deque>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ebb::report {
namespace {

using topology::ChannelId;
using topology::Graph;
using topology::NodeId;

Point on_circle_at(std::uint32_t i, std::uint32_t count) {
  const double angle = 2 * std::numbers::pi * i / count;
  return {std::sin(angle), -std::cos(angle)};
}

// Clockwise from the top.
std::vector<Point> on_circle(std::uint32_t count) {
  std::vector<Point> points;
  points.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) points.push_back(on_circle_at(i, count));
  return points;
}

// The first in the middle of the others.
std::vector<Point> around_first(std::uint32_t count) {
  std::vector<Point> points = on_circle(count - 1);
  points.insert(points.begin(), Point{});
  return points;
}

// Groups of `group` consecutive switches as small circles on a large one.
std::vector<Point> in_groups(std::uint32_t count, std::uint32_t group) {
  const std::uint32_t groups = (count + group - 1) / group;
  // Neighbouring small circles leave a gap between them.
  const double radius = groups < 2 ? 1 : 0.7 * std::sin(std::numbers::pi / groups);
  std::vector<Point> points;
  points.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Point centre = on_circle_at(i / group, groups);
    const Point offset = on_circle_at(i % group, group);
    points.push_back({centre.x + radius * offset.x, centre.y + radius * offset.y});
  }
  return points;
}

// Blocks of further dimensions stand apart by this many columns.
constexpr double kBlockGap = 0.8;

// How far a step along each dimension leads, and whether to the right or down.
std::vector<Point> steps(const std::vector<std::uint32_t>& dims) {
  std::vector<Point> made;
  Point next{1, 1};
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const bool right = d % 2 == 0;
    made.push_back(right ? Point{next.x, 0} : Point{0, next.y});
    double& size = right ? next.x : next.y;
    size = size * dims[d] + kBlockGap;
  }
  return made;
}

// `dims` of a family's grid, first varying fastest: columns, rows, columns of blocks, ...
std::vector<Point> on_grid(const std::vector<std::uint32_t>& dims) {
  const std::vector<Point> step = steps(dims);
  std::uint32_t count = 1;
  for (const std::uint32_t dim : dims) count *= dim;
  std::vector<Point> points(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t rest = i;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const std::uint32_t coordinate = rest % dims[d];
      rest /= dims[d];
      points[i].x += coordinate * step[d].x;
      points[i].y += coordinate * step[d].y;
    }
  }
  return points;
}

constexpr std::uint32_t kNotReached = UINT32_MAX;
// A row is this high over the width of the widest one.
constexpr double kRowHeight = 0.22;

bool bears_hosts(const Graph& graph, NodeId node) {
  const auto outputs = graph.outputs(node);
  return std::any_of(outputs.begin(), outputs.end(),
                     [&](ChannelId out) { return graph.is_host(graph.target(out)); });
}

// By switch: 0 for those with hosts, then links to the nearest of them.
std::vector<std::uint32_t> levels(const Graph& graph) {
  std::vector<std::uint32_t> level(graph.switch_count(), kNotReached);
  std::deque<std::uint32_t> open;
  for (std::uint32_t i = 0; i < graph.switch_count(); ++i) {
    if (!bears_hosts(graph, graph.switch_node(i))) continue;
    level[i] = 0;
    open.push_back(i);
  }
  for (; !open.empty(); open.pop_front()) {
    for (const ChannelId out : graph.outputs(graph.switch_node(open.front()))) {
      const NodeId next = graph.target(out);
      if (graph.is_host(next) || level[index(next)] != kNotReached) continue;
      level[index(next)] = level[open.front()] + 1;
      open.push_back(index(next));
    }
  }
  return level;
}

// Rows by distance from the nearest host, hosts' switches at the bottom. None when every switch
// bears hosts.
std::optional<std::vector<Point>> in_layers(const Graph& graph) {
  const std::vector<std::uint32_t> level = levels(graph);
  if (std::find(level.begin(), level.end(), kNotReached) != level.end()) return std::nullopt;
  const std::uint32_t top = *std::max_element(level.begin(), level.end());
  if (top == 0) return std::nullopt;
  std::vector<std::uint32_t> in_row(top + 1, 0);
  for (const std::uint32_t each : level) ++in_row[each];
  std::vector<std::uint32_t> placed(top + 1, 0);
  std::vector<Point> points;
  points.reserve(level.size());
  for (const std::uint32_t each : level) {
    const double x = (placed[each]++ + 0.5) / in_row[each];
    points.push_back({x, (top - each) * kRowHeight});
  }
  return points;
}

std::string_view parameter(const topology::Origin& origin, std::string_view name) {
  for (const auto& [key, value] : origin.parameters) {
    if (key == name) return value;
  }
  return {};
}

// "8x8" -> 8, 8. Parameters were checked when the network was built.
std::vector<std::uint32_t> numbers(std::string_view text) {
  std::vector<std::uint32_t> found;
  while (!text.empty()) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return {};
    found.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.empty()) text.remove_prefix(1);
  }
  return found;
}

std::vector<Point> by_family(const topology::Graph& graph) {
  const topology::Origin& origin = graph.origin();
  const auto dims = numbers(parameter(origin, "dims"));
  if (dims.size() > 1 || (origin.family == "mesh" && !dims.empty())) return on_grid(dims);
  const auto group = numbers(parameter(origin, "a"));
  if (origin.family == "dragonfly" && group.size() == 1 && group.front() > 0)
    return in_groups(graph.switch_count(), group.front());
  if (origin.family == "tree") return around_first(graph.switch_count());
  return on_circle(graph.switch_count());
}

// Into x from 0 to 1; narrow drawings stand in the middle.
void fit(std::vector<Point>& places) {
  Point low = places.front();
  Point high = low;
  for (const Point& place : places) {
    low = {std::min(low.x, place.x), std::min(low.y, place.y)};
    high = {std::max(high.x, place.x), std::max(high.y, place.y)};
  }
  const double size = std::max({high.x - low.x, high.y - low.y, 1e-9});
  const double left = (1 - (high.x - low.x) / size) / 2;
  for (Point& place : places) place = {left + (place.x - low.x) / size, (place.y - low.y) / size};
}

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

// Links between placed switches, bent where a straight line would mislead.
std::vector<Line> lines_between(const topology::Graph& graph, const std::vector<Point>& places) {
  const double near = least_distance(places);
  std::vector<Line> lines;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> parallel;
  for (std::uint32_t i = 0; i < graph.link_count(); ++i) {
    const topology::Link& link = graph.links()[i];
    if (!graph.connects_switches(link)) continue;
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

}  // namespace

Layout layout(const topology::Graph& graph) {
  if (graph.switch_count() == 0) return {};
  auto layered = in_layers(graph);
  std::vector<Point> places = layered ? std::move(*layered) : by_family(graph);
  fit(places);
  std::vector<Line> lines = lines_between(graph, places);
  return {std::move(places), std::move(lines)};
}

}  // namespace ebb::report
