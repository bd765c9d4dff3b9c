// SPDX-License-Identifier: Apache-2.0
#include "ebb/rules/table.hpp"

#include "layout.hpp"
#include "way.hpp"

#include "ebb/core/check.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace ebb::rules {
namespace {

// The link from its switch to a host.
ChannelId delivery(const Graph& graph, std::uint32_t host) {
  return topology::reverse(graph.outputs(graph.host_node(host)).front());
}

std::vector<Rule> own_hosts(const Graph& graph, const AddressPlan& plan, std::uint32_t at) {
  std::vector<Rule> rules;
  const Address all = plan.switch_mask() | plan.fields().front().mask();
  for (const ChannelId channel : graph.outputs(graph.switch_node(at))) {
    if (!graph.is_host(graph.target(channel))) continue;
    const std::uint32_t host = graph.host_number(graph.target(channel));
    // A host with several links is reached by its first.
    if (channel != delivery(graph, host)) continue;
    rules.push_back({.destination = {plan.of_host(host), all}, .output = channel});
  }
  return rules;
}

std::vector<Rule> flat(const Graph& graph, const AddressPlan& plan, std::uint32_t at,
                       std::span<const ChannelId> next) {
  std::vector<ChannelId> by_switch(graph.switch_count());
  for (std::size_t i = 0; i < next.size(); ++i) by_switch[plan.access_switches()[i]] = next[i];
  std::vector<Rule> rules;
  const Address all = plan.switch_mask() | plan.fields().front().mask();
  for (std::uint32_t host = 0; host < graph.host_count(); ++host) {
    const std::uint32_t to = plan.switch_of(host);
    if (to != at)
      rules.push_back({.destination = {plan.of_host(host), all}, .output = by_switch[to]});
  }
  return rules;
}

std::vector<Rule> per_switch(const AddressPlan& plan, std::uint32_t at,
                             std::span<const ChannelId> next) {
  std::vector<Rule> rules;
  for (std::size_t i = 0; i < next.size(); ++i) {
    const std::uint32_t to = plan.access_switches()[i];
    if (to == at) continue;
    rules.push_back({.destination = {plan.of_switch(to), plan.switch_mask()}, .output = next[i]});
  }
  return rules;
}

// One rule for the switches from `first` to `last` if they share an output. The families number the
// switches of a group one after the other.
void add_group(const AddressPlan& plan, std::vector<Rule>::const_iterator first,
               std::vector<Rule>::const_iterator last, bool own, std::vector<Rule>& rules) {
  const bool shared =
      std::all_of(first, last, [&](const Rule& rule) { return rule.output == first->output; });
  if (own || !shared) {
    rules.insert(rules.end(), first, last);
    return;
  }
  const Address mask = plan.group_mask();
  rules.push_back(
      {.destination = {first->destination.value & mask, mask}, .output = first->output});
}

std::vector<Rule> per_group(const AddressPlan& plan, std::uint32_t at,
                            std::span<const ChannelId> next) {
  const Address mask = plan.group_mask();
  if (mask == 0) return per_switch(plan, at, next);
  const std::vector<Rule> all = per_switch(plan, at, next);
  const bool serves =
      std::binary_search(plan.access_switches().begin(), plan.access_switches().end(), at);
  std::vector<Rule> rules;
  for (auto first = all.begin(); first != all.end();) {
    const Address group = first->destination.value & mask;
    const auto last = std::find_if(first, all.end(), [&](const Rule& rule) {
      return (rule.destination.value & mask) != group;
    });
    add_group(plan, first, last, serves && (plan.of_switch(at) & mask) == group, rules);
    first = last;
  }
  return rules;
}

bool goes_before(const Rule& a, const Rule& b) {
  const auto key = [](const Rule& rule) {
    return std::tuple(rule.destination.value, rule.destination.mask, rule.source.value,
                      rule.source.mask);
  };
  return key(a) < key(b);
}

// The last layer has priority 1.
std::vector<Rule> with_priorities(Layers layers) {
  std::erase_if(layers, [](const std::vector<Rule>& layer) { return layer.empty(); });
  EBB_CHECK(layers.size() <= std::numeric_limits<std::uint16_t>::max(), "too many layers");
  std::vector<Rule> rules;
  auto priority = static_cast<std::uint16_t>(layers.size());
  for (std::vector<Rule>& layer : layers) {
    std::sort(layer.begin(), layer.end(), goes_before);
    for (Rule& rule : layer) {
      rule.priority = priority;
      rules.push_back(rule);
    }
    --priority;
  }
  return rules;
}

}  // namespace

Result<TableMaker> TableMaker::make(const Graph& graph, const AddressPlan& plan) {
  if (const auto origin = check_origin(graph); !origin) return fail(origin.error());
  TableMaker maker;
  maker.graph_ = &graph;
  maker.plan_ = &plan;
  maker.way_ = make_way(graph, plan);
  return maker;
}

Table TableMaker::table(std::uint32_t of_switch, Detail detail) const {
  Layers layers = {own_hosts(*graph_, *plan_, of_switch)};
  if (detail == Detail::compact) {
    for (std::vector<Rule>& layer : way_->compact(of_switch)) layers.push_back(std::move(layer));
    return {of_switch, with_priorities(std::move(layers)), detail};
  }
  // Different values of one mask in each of these: nothing goes before anything.
  const std::vector<ChannelId> next = way_->next_to_all(of_switch);
  const std::vector<Rule> others = detail == Detail::flat ? flat(*graph_, *plan_, of_switch, next)
                                   : detail == Detail::per_switch
                                       ? per_switch(*plan_, of_switch, next)
                                       : per_group(*plan_, of_switch, next);
  layers.front().insert(layers.front().end(), others.begin(), others.end());
  return {of_switch, with_priorities(std::move(layers)), detail};
}

ChannelId TableMaker::output(std::uint32_t at, std::uint32_t source_host,
                             std::uint32_t destination_host, Detail detail) const {
  const std::uint32_t to = plan_->switch_of(destination_host);
  if (to == at) return delivery(*graph_, destination_host);
  if (detail != Detail::compact) return way_->next(at, to);
  return way_->next_compact(at, plan_->of_host(source_host), plan_->of_host(destination_host), to);
}

}  // namespace ebb::rules
