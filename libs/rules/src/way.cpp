// SPDX-License-Identifier: Apache-2.0
#include "way.hpp"

#include "clos_way.hpp"
#include "deal.hpp"
#include "dragonfly_way.hpp"
#include "grid_way.hpp"
#include "layout.hpp"
#include "shortest_way.hpp"

#include <algorithm>

namespace ebb::rules {

std::vector<ChannelId> Way::next_to_all(std::uint32_t at) const {
  std::vector<ChannelId> outputs;
  for (const std::uint32_t to : plan_.access_switches())
    outputs.push_back(to == at ? ChannelId{} : next(at, to));
  return outputs;
}

ChannelId Way::next_compact(std::uint32_t at, Address /*source*/, Address /*destination*/,
                            std::uint32_t to) const {
  return next(at, to);
}

std::span<const ChannelId> Way::links_to(std::uint32_t at, std::uint32_t next) const {
  const auto outputs = graph_.outputs(graph_.switch_node(at));
  const auto leads_there = [&](ChannelId channel) {
    return graph_.target(channel) == graph_.switch_node(next);
  };
  const auto first = std::find_if(outputs.begin(), outputs.end(), leads_there);
  return {first, std::find_if_not(first, outputs.end(), leads_there)};
}

void Way::share(const Match& destination, std::span<const ChannelId> links,
                std::vector<Rule>& rules) const {
  const auto matches = deal(plan_.fields().front(), plan_.most_hosts(), links.size());
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const Match both{destination.value | matches[i].value, destination.mask | matches[i].mask};
    rules.push_back({.destination = both, .output = links[i]});
  }
}

ChannelId Way::shared(std::span<const ChannelId> links, Address destination) const {
  return dealt(deal(plan_.fields().front(), plan_.most_hosts(), links.size()), links, destination);
}

std::unique_ptr<const Way> make_way(const Graph& graph, const AddressPlan& plan) {
  if (is_grid(graph)) return std::make_unique<GridWay>(graph, plan);
  if (graph.origin().family == "dragonfly") return std::make_unique<DragonflyWay>(graph, plan);
  if (graph.origin().family == "clos") return std::make_unique<ClosWay>(graph, plan);
  return std::make_unique<ShortestWay>(graph, plan);
}

}  // namespace ebb::rules
