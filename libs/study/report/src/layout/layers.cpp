// SPDX-License-Identifier: Apache-2.0
#include "layout/places.hpp"

#include <algorithm>
#include <deque>

namespace ebb::report {
namespace {

using topology::ChannelId;
using topology::Graph;
using topology::NodeId;

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

}  // namespace

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

}  // namespace ebb::report
