// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/metrics.hpp"

#include <algorithm>

namespace ebb::topology {

std::vector<std::uint32_t> switch_heights(const Graph& graph) {
  std::vector<std::uint32_t> height(graph.switch_count(), kFar);
  std::vector<std::uint32_t> queue;
  const auto reach = [&](NodeId node, std::uint32_t its_height) {
    if (graph.is_host(node) || height[index(node)] != kFar) return;
    height[index(node)] = its_height;
    queue.push_back(index(node));
  };
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    for (const ChannelId channel : graph.outputs(graph.host_node(h)))
      reach(graph.target(channel), 0);
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const ChannelId channel : graph.outputs(graph.switch_node(queue[i])))
      reach(graph.target(channel), height[queue[i]] + 1);
  }
  return height;
}

std::vector<std::uint8_t> link_levels(const Graph& graph) {
  const std::vector<std::uint32_t> height = switch_heights(graph);
  std::vector<std::uint8_t> levels;
  levels.reserve(graph.link_count());
  for (const Link& link : graph.links()) {
    std::uint32_t level = 0;
    if (graph.connects_switches(link))
      level = std::min(height[index(link.a)], height[index(link.b)]) + 1;
    levels.push_back(static_cast<std::uint8_t>(std::min<std::uint32_t>(level, kLinkLevels - 1)));
  }
  return levels;
}

}  // namespace ebb::topology
