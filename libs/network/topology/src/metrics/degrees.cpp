// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/metrics.hpp"

#include <algorithm>

namespace ebb::topology {

Degrees degrees(const Graph& graph) {
  Degrees result;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    const auto ports = static_cast<std::uint32_t>(graph.outputs(graph.switch_node(s)).size());
    if (ports >= result.switches_with.size()) result.switches_with.resize(ports + 1, 0);
    ++result.switches_with[ports];
    result.most = std::max(result.most, ports);
    result.least = s == 0 ? ports : std::min(result.least, ports);
  }
  return result;
}

LinkCounts links_by_medium(const Graph& graph) {
  LinkCounts counts;
  for (const Link& link : graph.links()) {
    switch (link.medium) {
      case Medium::electrical:
        ++counts.electrical;
        break;
      case Medium::optical:
        ++counts.optical;
        break;
      case Medium::backplane:
        ++counts.backplane;
        break;
    }
  }
  return counts;
}

}  // namespace ebb::topology
