// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/sleepers.hpp"

#include "ebb/controller/ways.hpp"

#include <algorithm>

namespace ebb::controller {
namespace {

using topology::ChannelId;
using topology::Graph;
using topology::LinkId;

void make_unique(std::vector<ChannelId>& channels) {
  std::sort(channels.begin(), channels.end());
  channels.erase(std::unique(channels.begin(), channels.end()), channels.end());
}

// Many ways share what they take instead: repetitions go before they fill the memory.
void add(const std::vector<ChannelId>& more, std::vector<ChannelId>& channels) {
  if (channels.size() + more.size() > channels.capacity()) make_unique(channels);
  channels.insert(channels.end(), more.begin(), more.end());
}

std::vector<std::vector<ChannelId>> taken_instead(const Graph& graph, const Ways& ways) {
  std::vector<std::vector<ChannelId>> instead(2 * std::size_t{graph.link_count()});
  ways.for_each_way([&](const Reach::Way& way) {
    for (const ChannelId dodged : way.dodged) add(way.channels, instead[index(dodged)]);
  });
  for (auto& channels : instead) {
    make_unique(channels);
    channels.shrink_to_fit();
  }
  return instead;
}

}  // namespace

Sleepers sleepers(const Graph& graph, const forwarding::AddressPlan& plan,
                  std::span<const forwarding::Table> tables) {
  const Reach reach(graph, plan, tables);
  Ways ways(reach);
  // From the last: on a flattened butterfly the links of coordinate 0 then stay, as they do under
  // the routing thinned-star.
  for (std::uint32_t link = graph.link_count(); link-- > 0;) {
    const topology::Link& ends = graph.link(LinkId{link});
    if (graph.is_host(ends.a) || graph.is_host(ends.b)) continue;
    if (ways.everyone_without(LinkId{link})) ways.set(LinkId{link}, true);
  }
  return {ways.asleep(), taken_instead(graph, ways)};
}

}  // namespace ebb::controller
