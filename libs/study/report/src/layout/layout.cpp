// SPDX-License-Identifier: Apache-2.0
#include "ebb/report/layout.hpp"

#include "layout/lines.hpp"
#include "layout/places.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

namespace ebb::report {
namespace {

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
