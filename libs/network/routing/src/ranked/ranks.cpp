// SPDX-License-Identifier: Apache-2.0
#include "ranked/ranks.hpp"

#include <algorithm>

namespace ebb::routing {
namespace {

std::uint32_t links_to_switches(const Graph& graph, NodeId node) {
  const auto outputs = graph.outputs(node);
  return static_cast<std::uint32_t>(
      std::count_if(outputs.begin(), outputs.end(),
                    [&](ChannelId channel) { return !graph.is_host(graph.target(channel)); }));
}

std::vector<NodeId> search_order(const Graph& graph) {
  NodeId root = graph.switch_node(0);
  for (std::uint32_t s = 1; s < graph.switch_count(); ++s) {
    if (links_to_switches(graph, NodeId{s}) > links_to_switches(graph, root)) root = NodeId{s};
  }
  std::vector<bool> seen(graph.switch_count(), false);
  std::vector<NodeId> order = {root};
  seen[index(root)] = true;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const ChannelId channel : graph.outputs(order[i])) {
      const NodeId next = graph.target(channel);
      if (graph.is_host(next) || seen[index(next)]) continue;
      seen[index(next)] = true;
      order.push_back(next);
    }
  }
  return order;
}

}  // namespace

Ranks::Ranks(const Graph& graph) : order_(search_order(graph)), rank_(graph.switch_count(), 0) {
  for (std::uint32_t i = 0; i < order_.size(); ++i) rank_[index(order_[i])] = i;
}

}  // namespace ebb::routing
