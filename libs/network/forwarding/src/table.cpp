// SPDX-License-Identifier: Apache-2.0

#include "ebb/forwarding/table.hpp"

#include "layout.hpp"
#include "table_routing.hpp"

#include "ebb/core/check.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>

namespace ebb::forwarding {
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

// What is done with a frame for another switch.
struct Towards {
  ChannelId output{};
  std::uint8_t cos = 0;
  Use use = Use::always;

  [[nodiscard]] Rule rule(const Match& destination) const {
    return {.destination = destination, .output = output, .use = use, .cos = cos};
  }
};

// By access switch, in their order.
std::vector<Towards> towards_all(const TableRouting& routing, const AddressPlan& plan,
                                 std::uint32_t at, BackupPaths backup_paths) {
  std::vector<Towards> all;
  const std::vector<ChannelId> next = routing.next_to_all(at);
  for (std::size_t i = 0; i < next.size(); ++i) {
    const std::uint32_t to = plan.access_switches()[i];
    if (to == at) {
      all.emplace_back();
      continue;
    }
    const Use use = routing.diverts(at, to) ? Use::primary : Use::always;
    all.push_back({next[i], routing.cos(at, to, next[i], backup_paths), use});
  }
  return all;
}

std::vector<Rule> flat(const Graph& graph, const AddressPlan& plan, std::uint32_t at,
                       std::span<const Towards> towards) {
  std::vector<Towards> by_switch(graph.switch_count());
  for (std::size_t i = 0; i < towards.size(); ++i)
    by_switch[plan.access_switches()[i]] = towards[i];
  std::vector<Rule> rules;
  const Address all = plan.switch_mask() | plan.fields().front().mask();
  for (std::uint32_t host = 0; host < graph.host_count(); ++host) {
    const std::uint32_t to = plan.switch_of(host);
    if (to != at) rules.push_back(by_switch[to].rule({plan.of_host(host), all}));
  }
  return rules;
}

std::vector<Rule> per_switch(const AddressPlan& plan, std::uint32_t at,
                             std::span<const Towards> towards) {
  std::vector<Rule> rules;
  for (std::size_t i = 0; i < towards.size(); ++i) {
    const std::uint32_t to = plan.access_switches()[i];
    if (to != at) rules.push_back(towards[i].rule({plan.of_switch(to), plan.switch_mask()}));
  }
  return rules;
}

// One rule for the switches from `first` to `last` if they are treated alike. The families number
// the switches of a group one after the other.
void add_group(const AddressPlan& plan, std::vector<Rule>::const_iterator first,
               std::vector<Rule>::const_iterator last, bool own, std::vector<Rule>& rules) {
  const bool shared = std::all_of(first, last, [&](const Rule& rule) {
    return rule.output == first->output && rule.cos == first->cos && rule.use == first->use;
  });
  if (own || !shared) {
    rules.insert(rules.end(), first, last);
    return;
  }
  const Address mask = plan.group_mask();
  rules.push_back(*first);
  rules.back().destination = {first->destination.value & mask, mask};
}

std::vector<Rule> per_group(const AddressPlan& plan, std::uint32_t at,
                            std::span<const Towards> towards) {
  const Address mask = plan.group_mask();
  if (mask == 0) return per_switch(plan, at, towards);
  const std::vector<Rule> all = per_switch(plan, at, towards);
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
                      rule.source.mask, rule.input);
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

// All rules but those for hosts of `at`.
Layers transit(const TableRouting& routing, const Graph& graph, const AddressPlan& plan,
               std::uint32_t at, Detail detail, BackupPaths backup_paths) {
  if (detail == Detail::compact) return routing.compact(at, backup_paths);
  const std::vector<Towards> towards = towards_all(routing, plan, at, backup_paths);
  // Different values of one mask in each of these: nothing goes before anything.
  if (detail == Detail::flat) return {flat(graph, plan, at, towards)};
  if (detail == Detail::per_switch) return {per_switch(plan, at, towards)};
  return {per_group(plan, at, towards)};
}

}  // namespace

const FastReroute* Table::fast_reroute(ChannelId output) const {
  const auto found = std::lower_bound(
      fast_reroutes.begin(), fast_reroutes.end(), output,
      [](const FastReroute& one, ChannelId wanted) { return one.output < wanted; });
  return found == fast_reroutes.end() || found->output != output ? nullptr : &*found;
}

bool needs_rerouted_group(const FastReroute& reroute) {
  return !reroute.untagged.empty() && (reroute.backup || reroute.back);
}

RerouteChoices::RerouteChoices(const FastReroute& reroute, const Frame& frame)
    : untagged_(reroute.untagged) {
  if ((frame.destination & kReroutedTag) != 0) return;
  if (reroute.backup) last_ = {*reroute.backup, reroute.backup_tags};
  if (reroute.back && frame.input) last_ = {topology::reverse(*frame.input), true};
}

Result<TableMaker> TableMaker::make(const Graph& graph, const AddressPlan& plan) {
  if (const auto origin = check_origin(graph); !origin) return fail(origin.error());
  TableMaker maker;
  maker.graph_ = &graph;
  maker.plan_ = &plan;
  maker.routing_ = make_table_routing(graph, plan);
  return maker;
}

Result<std::vector<Table>> fabric_tables(const Graph& graph, const AddressPlan& plan) {
  const auto maker = TableMaker::make(graph, plan);
  if (!maker) return fail(maker.error());
  if (auto offered = maker->offers(BackupPaths::everywhere); !offered) return fail(offered.error());
  std::vector<Table> tables;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s)
    tables.push_back(maker->table(s, Detail::compact, BackupPaths::everywhere));
  return tables;
}

Result<void> TableMaker::offers(BackupPaths backup_paths) const {
  if (backup_paths == BackupPaths::injection && !routing_->has_injection()) {
    return fail("backup_paths at the source are for the families fbfly, dragonfly and clos, not " +
                graph_->origin().family);
  }
  if (backup_paths == BackupPaths::everywhere && plan_->bits() >= kAddressBits) {
    return fail("addresses take all " + std::to_string(kAddressBits) +
                " bits; fast reroutes need one of them for their tag");
  }
  return {};
}

Table TableMaker::table(std::uint32_t of_switch, Detail detail, BackupPaths backup_paths) const {
  Table table{of_switch, {}, detail, backup_paths, {}, {}};
  Layers layers = transit(*routing_, *graph_, *plan_, of_switch, detail, backup_paths);
  if (backup_paths == BackupPaths::none) make_always(layers);
  if (backup_paths == BackupPaths::everywhere) {
    table.fast_reroutes = fast_reroutes_for(*routing_, of_switch, layers);
    layers = rules_by_tag(*routing_, table, layers);
    table.core = routing_->core(of_switch);
  }
  std::vector<Rule> own = own_hosts(*graph_, *plan_, of_switch);
  if (detail == Detail::compact || layers.empty()) {
    layers.insert(layers.begin(), std::move(own));
  } else {
    layers.front().insert(layers.front().begin(), own.begin(), own.end());
  }
  if (backup_paths == BackupPaths::injection) {
    for (std::vector<Rule>& layer : routing_->diversions(of_switch, detail))
      layers.push_back(std::move(layer));
  }
  table.rules = with_priorities(std::move(layers));
  return table;
}

ChannelId TableMaker::output(std::uint32_t at, std::uint32_t source_host,
                             std::uint32_t destination_host, Detail detail) const {
  const std::uint32_t to = plan_->switch_of(destination_host);
  if (to == at) return delivery(*graph_, destination_host);
  if (detail != Detail::compact) return routing_->next(at, to);
  return routing_->next_compact(at, plan_->of_host(source_host), plan_->of_host(destination_host),
                                to);
}

TableMaker::NextHop TableMaker::intended(const Table& table, std::uint32_t source_host,
                                         std::uint32_t destination_host, bool rerouted,
                                         std::optional<ChannelId> input) const {
  const std::uint32_t at = table.of_switch;
  const std::uint32_t to = plan_->switch_of(destination_host);
  const ChannelId normal = output(at, source_host, destination_host, table.detail);
  if (to == at) return {normal, 0};
  const std::uint8_t cos = routing_->cos(at, to, normal, table.backup_paths);
  if (!rerouted) return {normal, cos};
  if (const auto elsewhere = routing_->rerouted_next(at, to)) return *elsewhere;
  const std::vector<Rule> bounces = routing_->bounces(at);
  if (input && goes_up(bounces, normal)) {
    for (const Rule& bounce : bounces) {
      if (bounce.input == input) return {bounce.output, bounce.cos};
    }
  }
  return {normal, shifted(cos, routing_->rerouted_shift()), routing_->reroutes_end()};
}

std::optional<TableMaker::NextHop> TableMaker::intended_backup(const Table& table,
                                                               std::uint32_t source_host,
                                                               std::uint32_t destination_host,
                                                               const Frame& frame) const {
  const std::uint32_t at = table.of_switch;
  const std::uint32_t to = plan_->switch_of(destination_host);
  const NextHop normal = intended(table, source_host, destination_host, false, frame.input);
  if (to == at || (frame.destination & kReroutedTag) != 0) return std::nullopt;
  if (table.backup_paths == BackupPaths::everywhere) {
    const FastReroute reroute = routing_->reroute(at, normal.output);
    const RerouteChoices offered(reroute, frame);
    return offered.empty() ? std::nullopt : std::optional(NextHop{offered[0].output, normal.cos});
  }
  if (table.backup_paths == BackupPaths::none || !routing_->diverts(at, to)) return std::nullopt;
  for (const std::vector<Rule>& layer : routing_->diversions(at, table.detail)) {
    for (const Rule& rule : layer) {
      const bool here = !rule.input || rule.input == frame.input;
      if (here && rule.source.matches(frame.source) && rule.output != normal.output)
        return NextHop{rule.output, rule.cos};
    }
  }
  return std::nullopt;
}

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
