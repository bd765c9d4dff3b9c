// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/metrics.hpp"

#include <limits>

namespace ebb::topology {

Components components(const Graph& graph) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  Components result;
  result.of_node.assign(graph.node_count(), kNone);
  std::vector<NodeId> open;
  for (std::uint32_t n = 0; n < graph.node_count(); ++n) {
    if (result.of_node[n] != kNone) continue;
    result.of_node[n] = result.count;
    open.push_back(NodeId{n});
    while (!open.empty()) {
      const NodeId node = open.back();
      open.pop_back();
      for (const ChannelId channel : graph.outputs(node)) {
        const NodeId next = graph.target(channel);
        if (result.of_node[index(next)] != kNone) continue;
        result.of_node[index(next)] = result.count;
        open.push_back(next);
      }
    }
    ++result.count;
  }
  return result;
}

bool connected(const Graph& graph) { return components(graph).count <= 1; }

}  // namespace ebb::topology
