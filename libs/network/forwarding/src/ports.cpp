// SPDX-License-Identifier: Apache-2.0
#include "ebb/forwarding/ports.hpp"

#include <algorithm>

namespace ebb::forwarding {

PortNumber port_of(const topology::Graph& graph, topology::ChannelId output) {
  // Links are added in the order of their numbers, so outputs ascend.
  const auto outputs = graph.outputs(graph.source(output));
  return static_cast<PortNumber>(std::lower_bound(outputs.begin(), outputs.end(), output) -
                                 outputs.begin()) +
         1;
}

std::optional<topology::ChannelId> output_at(const topology::Graph& graph, std::uint32_t device,
                                             PortNumber port) {
  if (device >= graph.switch_count()) return std::nullopt;
  const auto outputs = graph.outputs(graph.switch_node(device));
  if (port < 1 || port > outputs.size()) return std::nullopt;
  return outputs[port - 1];
}

}  // namespace ebb::forwarding
