// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/sampler.hpp"

#include <algorithm>
#include <set>

namespace ebb::controller {

using policy::NextHopSet;
using topology::ChannelId;

namespace {

std::vector<policy::ChannelId> choices(const forwarding::Table& table, ChannelId output) {
  std::vector<policy::ChannelId> channels{policy::ChannelId{index(output)}};
  if (const forwarding::FastReroute* reroute = table.fast_reroute(output)) {
    channels.reserve(1 + reroute->untagged.size());
    for (const ChannelId other : reroute->untagged)
      channels.push_back(policy::ChannelId{index(other)});
  }
  std::sort(channels.begin(), channels.end());
  return channels;
}

// The rows of a destination: frames of different sources may have different rules.
std::set<std::vector<policy::ChannelId>> rows(const topology::Graph& graph,
                                              const forwarding::Table& table,
                                              forwarding::Address destination) {
  std::set<std::vector<policy::ChannelId>> found;
  for (const forwarding::Rule& rule : table.rules) {
    if (rule.use == forwarding::Use::backup || !rule.destination.matches(destination)) continue;
    if (graph.is_host(graph.target(rule.output))) return {};
    found.insert(choices(table, rule.output));
    if (rule.source.mask == 0 && !rule.input) break;  // no other rule is asked
  }
  return found;
}

}  // namespace

std::vector<NextHopSet> next_hops_of(const forwarding::TableWalker& walker) {
  const topology::Graph& graph = walker.graph();
  std::vector<std::uint32_t> hosts = forwarding::host_equivalence_classes(walker).destinations;
  std::sort(hosts.begin(), hosts.end());
  std::vector<NextHopSet> next_hops;
  for (std::uint32_t device = 0; device < graph.switch_count(); ++device) {
    const forwarding::Table& table = walker.lookups()[device].table();
    for (const std::uint32_t host : hosts) {
      for (const auto& channels : rows(graph, table, walker.plan().of_host(host)))
        next_hops.push_back({device, index(graph.host_node(host)), channels});
    }
  }
  return next_hops;
}

}  // namespace ebb::controller
