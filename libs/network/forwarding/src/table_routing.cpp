// SPDX-License-Identifier: Apache-2.0

#include "table_routing.hpp"

#include "layout.hpp"

#include "ebb/core/check.hpp"
#include "ebb/topology/rails.hpp"
#include "ebb/topology/recognition.hpp"

#include <algorithm>

namespace ebb::forwarding {
namespace {

// Values that agree in their lowest `bits` bits.
struct Share {
  std::uint64_t low = 0;
  int bits = 0;
  std::uint64_t values = 0;
};

Share split(Share& share) {
  Share odd{share.low | (std::uint64_t{1} << share.bits), share.bits + 1, share.values / 2};
  share = {share.low, share.bits + 1, share.values - share.values / 2};
  return odd;
}

}  // namespace

std::vector<Match> split_by_mask(const Field& field, std::uint64_t values, std::size_t links) {
  std::vector<Share> shares = {{0, 0, values}};
  while (shares.size() < links) {
    const auto largest =
        std::max_element(shares.begin(), shares.end(),
                         [](const Share& a, const Share& b) { return a.values < b.values; });
    if (largest->values < 2) break;
    const Share odd = split(*largest);
    shares.push_back(odd);
  }
  std::sort(shares.begin(), shares.end(),
            [](const Share& a, const Share& b) { return a.low < b.low; });
  std::vector<Match> matches;
  matches.reserve(shares.size());
  for (const Share& share : shares)
    matches.push_back({field.place(share.low), field.place((std::uint64_t{1} << share.bits) - 1)});
  return matches;
}

topology::ChannelId link_of_split(std::span<const Match> matches,
                                  std::span<const topology::ChannelId> links, Address address) {
  const auto found = std::find_if(matches.begin(), matches.end(),
                                  [&](const Match& match) { return match.matches(address); });
  EBB_CHECK(found != matches.end(), "some match takes every address");
  return links[static_cast<std::size_t>(found - matches.begin())];
}

std::vector<ChannelId> TableRouting::next_to_all(std::uint32_t at) const {
  std::vector<ChannelId> outputs;
  for (const std::uint32_t to : plan_.access_switches())
    outputs.push_back(to == at ? ChannelId{} : next(at, to));
  return outputs;
}

ChannelId TableRouting::next_compact(std::uint32_t at, Address /*source*/, Address /*destination*/,
                                     std::uint32_t to) const {
  return next(at, to);
}

std::uint8_t TableRouting::cos(std::uint32_t /*at*/, std::uint32_t /*to*/, ChannelId /*output*/,
                               BackupPaths /*backup_paths*/) const {
  return 0;
}

std::vector<ChannelId> TableRouting::parallel_links(std::uint32_t at, ChannelId output) const {
  std::vector<ChannelId> links;
  std::vector<ChannelId> before;
  for (const ChannelId other : graph_.outputs(graph_.switch_node(at))) {
    if (other != output && graph_.target(other) == graph_.target(output))
      (other < output ? before : links).push_back(other);
  }
  links.insert(links.end(), before.begin(), before.end());
  return links;
}

FastReroute TableRouting::reroute(std::uint32_t at, ChannelId output) const {
  FastReroute made{.output = output, .untagged = parallel_links(at, output)};
  const auto other = fast_reroute(at, output);
  if (other && graph_.target(*other) != graph_.target(output)) made.backup = other;
  return made;
}

std::optional<ChannelId> TableRouting::fast_reroute(std::uint32_t /*at*/,
                                                    ChannelId /*output*/) const {
  return std::nullopt;
}

std::optional<TableRouting::NextHop> TableRouting::rerouted_next(std::uint32_t /*at*/,
                                                                 std::uint32_t /*to*/) const {
  return std::nullopt;
}

Layers TableRouting::rerouted_rules(std::uint32_t /*at*/) const { return {}; }

std::vector<ChannelId> TableRouting::core(std::uint32_t /*at*/) const { return {}; }

std::vector<Rule> TableRouting::bounces(std::uint32_t /*at*/) const { return {}; }

bool TableRouting::diverts(std::uint32_t /*at*/, std::uint32_t /*to*/) const { return false; }

Layers TableRouting::diversions(std::uint32_t /*at*/, Detail /*detail*/) const { return {}; }

std::vector<Rule> TableRouting::divert_hosts(std::uint32_t at,
                                             std::span<const ChannelId> outputs) const {
  std::vector<Rule> rules;
  if (outputs.empty()) return rules;
  for (const ChannelId channel : graph_.outputs(graph_.switch_node(at))) {
    if (!graph_.is_host(graph_.target(channel))) continue;
    rules.push_back({.output = outputs[rules.size() % outputs.size()],
                     .input = topology::reverse(channel),
                     .use = Use::backup});
  }
  return rules;
}

std::optional<ChannelId> link_after(std::span<const ChannelId> links, ChannelId one) {
  const auto found = std::find(links.begin(), links.end(), one);
  if (found == links.end() || links.size() < 2) return std::nullopt;
  return links[(static_cast<std::size_t>(found - links.begin()) + 1) % links.size()];
}

std::span<const ChannelId> TableRouting::links_to(std::uint32_t at, std::uint32_t next) const {
  const auto outputs = graph_.outputs(graph_.switch_node(at));
  const auto leads_there = [&](ChannelId channel) {
    return graph_.target(channel) == graph_.switch_node(next);
  };
  const auto first = std::find_if(outputs.begin(), outputs.end(), leads_there);
  return {first, std::find_if_not(first, outputs.end(), leads_there)};
}

void TableRouting::share(const Match& destination, std::span<const ChannelId> links,
                         std::vector<Rule>& rules) const {
  const auto matches = split_by_mask(plan_.fields().front(), plan_.most_hosts(), links.size());
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const Match both{destination.value | matches[i].value, destination.mask | matches[i].mask};
    rules.push_back({.destination = both, .output = links[i]});
  }
}

ChannelId TableRouting::shared(std::span<const ChannelId> links, Address destination) const {
  return link_of_split(split_by_mask(plan_.fields().front(), plan_.most_hosts(), links.size()),
                       links, destination);
}

bool has_leaf_spine_tables(const Graph& graph, const AddressPlan& plan) {
  if (graph.origin().family != "imported") return false;
  const auto found = topology::leaf_spine(graph);
  const auto access = plan.access_switches();
  return found &&
         std::equal(access.begin(), access.end(), found->leaves.begin(), found->leaves.end());
}

MadeTableRouting make_table_routing(const Graph& graph, const AddressPlan& plan) {
  if (is_grid(graph)) return make_grid_table_routing(graph, plan);
  if (graph.origin().family == "dragonfly") return make_dragonfly_table_routing(graph, plan);
  if (topology::clos_parameters(graph.origin()) || has_leaf_spine_tables(graph, plan))
    return make_clos_table_routing(graph, plan);
  return make_shortest_path_table_routing(graph, plan);
}

namespace {

Rule for_untagged(Rule rule, const Table& table) {
  rule.destination.mask |= kReroutedTag;
  rule.use = table.fast_reroute(rule.output) ? Use::primary : Use::always;
  return rule;
}

// Rerouted frames may still take what needs no tag.
Use use_when_rerouted(const Rule& rule, const Table& table) {
  const FastReroute* reroute = table.fast_reroute(rule.output);
  return reroute != nullptr && !reroute->untagged.empty() ? Use::primary : Use::always;
}

Rule tagged(Rule rule, const Table& table) {
  rule.destination.value |= kReroutedTag;
  rule.destination.mask |= kReroutedTag;
  rule.use = use_when_rerouted(rule, table);
  return rule;
}

Rule for_rerouted(const Rule& rule, const Table& table, std::uint8_t cos, bool clears_tag) {
  Rule made = tagged(rule, table);
  made.cos = cos;
  made.clears_tag = clears_tag;
  return made;
}

// Of a scheme that sends rerouted frames elsewhere. Rules for single switches stand together.
Layers rules_apart(const Table& table, const Layers& layers, const Layers& rerouted) {
  Layers result(1);
  for (const Rule& rule : rerouted.front()) result.front().push_back(tagged(rule, table));
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (i > 0) result.emplace_back();
    for (const Rule& rule : layers[i]) result.back().push_back(for_untagged(rule, table));
  }
  for (std::size_t i = 1; i < rerouted.size(); ++i) {
    result.emplace_back();
    for (const Rule& rule : rerouted[i]) result.back().push_back(tagged(rule, table));
  }
  return result;
}

}  // namespace

std::vector<FastReroute> fast_reroutes_for(const TableRouting& routing, std::uint32_t at,
                                           const Layers& layers) {
  std::vector<ChannelId> outputs;
  for (const auto& layer : layers) {
    for (const Rule& rule : layer) outputs.push_back(rule.output);
  }
  for (const auto& layer : routing.rerouted_rules(at)) {
    for (const Rule& rule : layer) outputs.push_back(rule.output);
  }
  // For frames that bounce, what needs no tag.
  const auto offers_untagged = [&](ChannelId output) {
    return !routing.reroute(at, output).untagged.empty();
  };
  for (const Rule& rule : routing.bounces(at)) {
    if (offers_untagged(rule.output)) outputs.push_back(rule.output);
  }
  std::sort(outputs.begin(), outputs.end());
  outputs.erase(std::unique(outputs.begin(), outputs.end()), outputs.end());
  std::vector<FastReroute> reroutes;
  for (const ChannelId output : outputs) {
    FastReroute reroute = routing.reroute(at, output);
    if (!reroute.untagged.empty() || reroute.backup || reroute.back)
      reroutes.push_back(std::move(reroute));
  }
  return reroutes;
}

Layers rules_by_tag(const TableRouting& routing, const Table& table, const Layers& layers) {
  if (const Layers rerouted = routing.rerouted_rules(table.of_switch); !rerouted.empty())
    return rules_apart(table, layers, rerouted);
  std::vector<Rule> bounces = routing.bounces(table.of_switch);
  for (Rule& bounce : bounces) bounce.use = use_when_rerouted(bounce, table);
  const std::uint8_t shift = routing.rerouted_shift();
  Layers result;
  std::vector<Rule> up;
  for (const auto& layer : layers) {
    result.emplace_back();
    for (const Rule& rule : layer) {
      std::vector<Rule>& to = goes_up(bounces, rule.output) ? up : result.back();
      to.push_back(for_untagged(rule, table));
      to.push_back(for_rerouted(rule, table, shifted(rule.cos, shift), routing.reroutes_end()));
    }
  }
  if (!bounces.empty()) result.push_back(bounces);
  result.push_back(std::move(up));
  return result;
}

std::uint8_t shifted(std::uint8_t cos, std::uint8_t shift) {
  return static_cast<std::uint8_t>(std::min<int>(cos + shift, kMostClass));
}

bool goes_up(std::span<const Rule> bounces, ChannelId output) {
  return std::any_of(bounces.begin(), bounces.end(),
                     [&](const Rule& rule) { return rule.input == topology::reverse(output); });
}

void make_always(Layers& layers) {
  for (auto& layer : layers) {
    for (Rule& rule : layer) rule.use = Use::always;
  }
}

}  // namespace ebb::forwarding
