// SPDX-License-Identifier: Apache-2.0
#include "way.hpp"

#include "clos_way.hpp"
#include "deal.hpp"
#include "dragonfly_way.hpp"
#include "grid_way.hpp"
#include "layout.hpp"
#include "shortest_way.hpp"

#include <algorithm>

namespace ebb::forwarding {

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

std::uint8_t Way::cos(std::uint32_t /*at*/, std::uint32_t /*to*/, ChannelId /*output*/,
                      Alternatives /*alternatives*/) const {
  return 0;
}

std::vector<Rule> Way::bounces(std::uint32_t /*at*/) const { return {}; }

bool Way::diverts(std::uint32_t /*at*/, std::uint32_t /*to*/) const { return false; }

Layers Way::diversions(std::uint32_t /*at*/, Detail /*detail*/) const { return {}; }

std::vector<Rule> Way::divert_hosts(std::uint32_t at, std::span<const ChannelId> outputs) const {
  std::vector<Rule> rules;
  if (outputs.empty()) return rules;
  for (const ChannelId channel : graph_.outputs(graph_.switch_node(at))) {
    if (!graph_.is_host(graph_.target(channel))) continue;
    rules.push_back({.output = outputs[rules.size() % outputs.size()],
                     .input = topology::reverse(channel),
                     .use = Use::alternative});
  }
  return rules;
}

std::optional<ChannelId> link_after(std::span<const ChannelId> links, ChannelId one) {
  const auto found = std::find(links.begin(), links.end(), one);
  if (found == links.end() || links.size() < 2) return std::nullopt;
  return links[(static_cast<std::size_t>(found - links.begin()) + 1) % links.size()];
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

}  // namespace ebb::forwarding
