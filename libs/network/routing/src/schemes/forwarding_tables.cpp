// SPDX-License-Identifier: Apache-2.0
//
// tables: the forwarding tables that switches get, with their classes, tags and fast reroutes
// (libs/network/forwarding). The candidates are what the rule of a packet offers, in its order: the
// output of the rule, then those of its fast-failover group. RouteState holds what a table can ask
// for: the source host, the port by which the packet came, and in `phase` whether it has the
// rerouted tag.
//
// The channels of links that may sleep at the same time (SleepableLinks) are of tier 1, so that
// policies close those that the live controller would let sleep. After a failure none is: which
// ones may sleep was found with all links there.
#include "../schemes.hpp"

#include "ebb/forwarding/check.hpp"
#include "ebb/forwarding/lookup.hpp"
#include "ebb/forwarding/reachability.hpp"
#include "ebb/forwarding/table.hpp"
#include "ebb/routing/scheme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace ebb::routing {
namespace {

using forwarding::AddressPlan;
using forwarding::Frame;
using forwarding::Lookup;
using forwarding::Table;
using topology::LinkId;

constexpr std::uint8_t kRerouted = 1;  // RouteState::phase

// Which links may sleep takes time and memory by pairs of switches with hosts: some seconds for so
// many. Larger networks have no tiers.
constexpr std::size_t kMostSwitchesWithTiers = 1024;

// What some table looks at beside the destination.
struct Asked {
  bool source = false;
  bool input = false;
};

Asked asked_by(std::span<const Table> tables) {
  Asked asked;
  for (const Table& table : tables) {
    for (const forwarding::Rule& rule : table.rules) {
      asked.source = asked.source || rule.source.mask != 0;
      asked.input = asked.input || rule.input.has_value();
    }
    for (const forwarding::FastReroute& reroute : table.fast_reroutes)
      asked.input = asked.input || reroute.back;
  }
  return asked;
}

class TableRouting final : public Routing {
 public:
  TableRouting(const Graph& graph, AddressPlan plan, std::vector<Table> tables,
               std::span<const LinkId> failed_links)
      : graph_(graph),
        plan_(std::move(plan)),
        tables_(std::move(tables)),
        asked_(asked_by(tables_)) {
    failed_.resize(graph.link_count());
    for (const LinkId link : failed_links) failed_[index(link)] = true;
    for (const Table& table : tables_) {
      lookups_.emplace_back(table, plan_);
      for (const forwarding::Rule& rule : table.rules)
        virtual_channels_ = std::max(virtual_channels_, rule.cos + 1);
    }
    if (failed_links.empty() && plan_.access_switches().size() <= kMostSwitchesWithTiers)
      may_sleep_ = forwarding::sleepable_links(graph, plan_, tables_).may_sleep;
  }

  [[nodiscard]] int virtual_channels() const override { return virtual_channels_; }
  [[nodiscard]] bool takes_first_live() const override { return true; }

  [[nodiscard]] RouteState start(NodeId source, NodeId /*destination*/, RandomStream& /*random*/,
                                 const CongestionView& /*view*/) const override {
    return first_state(source);
  }
  [[nodiscard]] std::vector<RouteState> all_starts(NodeId source,
                                                   NodeId /*destination*/) const override {
    return {first_state(source)};
  }

  void candidates(NodeId at, NodeId destination, RouteState state, Candidates& out) const override {
    out.clear();
    const forwarding::NextHops offered =
        lookups_[index(at)].next_hops(frame(at, destination, state));
    for (std::size_t i = 0; i < offered.size(); ++i) {
      const auto [output, cos, sent] = offered[i];
      const bool tagged = (sent & forwarding::kReroutedTag) != 0;
      if (!failed_[index(link_of(output))])
        out.push({.channel = output, .vc = cos, .phase = tagged ? kRerouted : std::uint8_t{0}});
    }
  }

  [[nodiscard]] RouteState advance(NodeId /*at*/, const Candidate& taken,
                                   RouteState state) const override {
    state.phase = taken.phase;
    state.input_port = port_after(taken.channel);
    return state;
  }

  // By trying all that can happen, which is for proofs on small networks.
  [[nodiscard]] int remaining_hops(NodeId at, NodeId destination, RouteState state) const override {
    Candidates outputs;
    candidates(at, destination, state, outputs);
    int most = 0;
    for (const Candidate& one : outputs) {
      const NodeId next = graph_.target(one.channel);
      if (graph_.is_host(next)) return 0;
      most = std::max(most, 1 + remaining_hops(next, destination, advance(at, one, state)));
    }
    return most;
  }

  [[nodiscard]] int tier(ChannelId channel) const override {
    return !may_sleep_.empty() && may_sleep_[index(topology::link_of(channel))] ? 1 : 0;
  }

  [[nodiscard]] std::size_t memory_bytes() const override {
    std::size_t rules = 0;
    for (const Table& table : tables_) rules += table.rules.capacity();
    // A rule is in the table and, by its number, in the lookup.
    return sizeof(*this) + rules * (sizeof(forwarding::Rule) + 4 * sizeof(std::uint64_t));
  }

  // A host that does not reach another while the failed links are down, and that other.
  [[nodiscard]] std::optional<std::pair<std::uint32_t, std::uint32_t>> cut_off() const {
    const forwarding::TableWalker walker(graph_, plan_, tables_);
    for (std::uint32_t from = 0; from < graph_.host_count(); ++from) {
      for (std::uint32_t to = 0; to < graph_.host_count(); ++to) {
        if (from != to && !walker.walk(from, to, failed_)) return std::pair(from, to);
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] RouteState first_state(NodeId source) const {
    RouteState state;
    if (asked_.source) state.intermediate = graph_.host_number(source);
    state.input_port = port_after(graph_.outputs(source).front());
    return state;
  }

  // Where a packet comes in that takes this channel; 0 where no table asks.
  [[nodiscard]] std::uint16_t port_after(ChannelId channel) const {
    if (!asked_.input || graph_.is_host(graph_.target(channel))) return 0;
    return static_cast<std::uint16_t>(forwarding::port_of(graph_, topology::reverse(channel)));
  }

  [[nodiscard]] Frame frame(NodeId at, NodeId destination, RouteState state) const {
    Frame made{.input = {},
               .source = asked_.source ? plan_.of_host(state.intermediate) : 0,
               .destination = plan_.of_host(graph_.host_number(destination))};
    if (state.input_port != 0)
      made.input = topology::reverse(graph_.outputs(at)[state.input_port - 1U]);
    if (state.phase == kRerouted) made.destination |= forwarding::kReroutedTag;
    return made;
  }

  const Graph& graph_;
  AddressPlan plan_;
  std::vector<Table> tables_;    // by switch
  std::vector<Lookup> lookups_;  // of these
  Asked asked_;
  int virtual_channels_ = 1;
  std::vector<bool> failed_;     // by link
  std::vector<bool> may_sleep_;  // by link; empty: none
};

// The output of the rule, and all that stands in for it.
std::uint64_t widest(std::span<const Table> tables) {
  std::size_t most = 0;
  for (const Table& table : tables) {
    for (const forwarding::FastReroute& reroute : table.fast_reroutes)
      most = std::max(most, reroute.untagged.size());
  }
  return most + 2;
}

// Longer paths than there are classes of service share the last, where they might wait for each
// other in a cycle. Only tables that come so far need the proof.
Result<void> check_classes(const Graph& graph, const AddressPlan& plan,
                           std::span<const Table> tables) {
  const bool takes_last = std::any_of(tables.begin(), tables.end(), [](const Table& table) {
    return std::any_of(table.rules.begin(), table.rules.end(),
                       [](const auto& rule) { return rule.cos == forwarding::kMostClass; });
  });
  if (!takes_last) return {};
  const forwarding::CheckReport report = forwarding::check(graph, plan, tables);
  if (report.errors.empty()) return {};
  return fail("its forwarding tables have not enough classes of service: " +
              report.errors.front().message);
}

}  // namespace

Result<std::unique_ptr<Routing>> make_table_routing(const Graph& graph,
                                                    std::span<const LinkId> failed_links) {
  auto plan = AddressPlan::make(graph);
  if (!plan) return fail(plan.error());
  auto tables = forwarding::fabric_tables(graph, *plan);
  if (!tables) return fail(tables.error());
  if (auto fits = check_width(widest(*tables)); !fits) return fail(fits.error());
  if (auto enough = check_classes(graph, *plan, *tables); !enough) return fail(enough.error());
  auto made =
      std::make_unique<TableRouting>(graph, std::move(*plan), std::move(*tables), failed_links);
  if (failed_links.empty()) return made;
  if (const auto pair = made->cut_off()) {
    return fail(fmt::format(
        "{} does not reach {} by the forwarding tables while these links are down",
        graph.name(graph.host_node(pair->first)), graph.name(graph.host_node(pair->second))));
  }
  return made;
}

namespace forwarding_tables {

Scheme scheme() {
  return {.name = "tables",
          .summary = "the forwarding tables of ebb fabric, with their fast reroutes; up to 8 vcs",
          .families = {},
          .make = [](const Graph& graph) { return make_table_routing(graph, {}); }};
}

}  // namespace forwarding_tables
}  // namespace ebb::routing
