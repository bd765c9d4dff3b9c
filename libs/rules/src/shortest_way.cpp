// SPDX-License-Identifier: Apache-2.0
#include "shortest_way.hpp"

#include "covered.hpp"

#include <limits>

namespace ebb::rules {
namespace {

constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::vector<std::uint32_t> ShortestWay::distances(std::uint32_t from) const {
  std::vector<std::uint32_t> links(graph().switch_count(), kFar);
  std::vector<std::uint32_t> queue = {from};
  links[from] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const ChannelId channel : graph().outputs(graph().switch_node(queue[i]))) {
      const auto next = graph().target(channel);
      if (graph().is_host(next) || links[index(next)] != kFar) continue;
      links[index(next)] = links[queue[i]] + 1;
      queue.push_back(index(next));
    }
  }
  return links;
}

ChannelId ShortestWay::next(std::uint32_t at, std::uint32_t to) const {
  const std::vector<std::uint32_t> links = distances(to);
  for (const ChannelId channel : graph().outputs(graph().switch_node(at))) {
    const auto neighbour = graph().target(channel);
    if (!graph().is_host(neighbour) && links[index(neighbour)] + 1 == links[at]) return channel;
  }
  return {};
}

// One search from each neighbour instead of one from each destination.
std::vector<ChannelId> ShortestWay::next_to_all(std::uint32_t at) const {
  const auto destinations = plan().access_switches();
  std::vector<ChannelId> next(destinations.size());
  std::vector<std::uint32_t> least(destinations.size(), kFar);
  for (const ChannelId channel : graph().outputs(graph().switch_node(at))) {
    if (graph().is_host(graph().target(channel))) continue;
    const std::vector<std::uint32_t> links = distances(index(graph().target(channel)));
    for (std::size_t i = 0; i < destinations.size(); ++i) {
      if (links[destinations[i]] >= least[i]) continue;
      least[i] = links[destinations[i]];
      next[i] = channel;
    }
  }
  return next;
}

Layers ShortestWay::compact(std::uint32_t at) const {
  const auto destinations = plan().access_switches();
  const std::vector<ChannelId> next = next_to_all(at);
  std::vector<std::optional<ChannelId>> outputs(next.begin(), next.end());
  for (std::size_t i = 0; i < destinations.size(); ++i) {
    if (destinations[i] == at) outputs[i].reset();
  }
  return covered(plan().fields()[1], outputs);
}

}  // namespace ebb::rules
