// SPDX-License-Identifier: Apache-2.0
#include "metrics/switch_graph.hpp"

#include <algorithm>

namespace ebb::topology {

SwitchGraph::SwitchGraph(const Graph& graph) : hosts(graph.switch_count(), 0) {
  std::vector<std::uint32_t> row;
  first.push_back(0);
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    row.clear();
    for (const ChannelId channel : graph.outputs(graph.switch_node(s))) {
      const NodeId other = graph.target(channel);
      if (!graph.is_host(other)) row.push_back(index(other));
    }
    std::sort(row.begin(), row.end());
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0 && row[i] == row[i - 1]) {
        ++links.back();
      } else {
        neighbours.push_back(row[i]);
        links.push_back(1);
      }
    }
    first.push_back(static_cast<std::uint32_t>(neighbours.size()));
  }
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    const auto ports = graph.outputs(graph.host_node(h));
    if (ports.empty()) continue;
    const NodeId access = graph.target(ports.front());
    if (!graph.is_host(access)) ++hosts[index(access)];
  }
}

}  // namespace ebb::topology
