// SPDX-License-Identifier: Apache-2.0
#include "idle_latency.hpp"

#include <algorithm>

namespace ebb::netsim {

DataRate IdleLatency::rate_of(std::uint32_t host) const {
  const auto channel = graph_.outputs(graph_.host_node(host)).front();
  return graph_.full_rate(graph_.link(topology::link_of(channel)));
}

// Breadth first: paths of the fewest links. Other hosts pass nothing on.
void IdleLatency::search_from(std::uint32_t source) {
  source_ = source;
  paths_.assign(graph_.node_count(), {});
  std::vector<topology::NodeId> queue = {graph_.host_node(source)};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (i > 0 && graph_.is_host(queue[i])) continue;
    const Path here = paths_[index(queue[i])];
    const Duration passing = i > 0 ? hardware_.switch_latency : Duration{};
    for (const auto channel : graph_.outputs(queue[i])) {
      const topology::NodeId next = graph_.target(channel);
      Path& there = paths_[index(next)];
      if (there.links > 0 || next == queue.front()) continue;
      const auto& link = graph_.link(topology::link_of(channel));
      there = {here.latency + passing + hardware_.latency(link), here.links + 1};
      queue.push_back(next);
    }
  }
}

Duration IdleLatency::of(std::uint32_t source, std::uint32_t destination, DataSize size) {
  if (source == destination) return {};
  if (paths_.empty() || source_ != source) search_from(source);
  const Path& path = paths_[index(graph_.host_node(destination))];
  const DataRate rate = std::min(rate_of(source), rate_of(destination));
  Duration time = serialization_time(size, rate) + path.latency;
  if (hardware_.switching == Switching::store_and_forward && path.links > 1)
    time += (path.links - 1) * serialization_time(std::min(size, hardware_.packet), rate);
  return time;
}

}  // namespace ebb::netsim
