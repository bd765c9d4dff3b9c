// SPDX-License-Identifier: Apache-2.0
#include "ebb/simulated/fabric.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

namespace ebb::simulated {

using controller::LinkState;
using controller::Order;
using topology::ChannelId;
using topology::LinkId;

namespace {

// As often as a controller of live switches looks while links are on their way, and otherwise.
constexpr Duration kSoon = std::chrono::milliseconds(1);
constexpr Duration kLatest = std::chrono::milliseconds(100);
// Open vSwitch brings the counters of groups up to date so often, on a test fabric
// (max-revalidator).
constexpr Duration kGroupsCount = std::chrono::milliseconds(100);

}  // namespace

Result<FabricSetting> fabric_setting(const topology::Graph& graph, const controller::Safety& safety,
                                     const power::PortWatts& port) {
  auto plan = forwarding::AddressPlan::make(graph);
  if (!plan) return fail(plan.error());
  auto tables = forwarding::fabric_tables(graph, *plan);
  if (!tables) return fail(tables.error());
  forwarding::SleepableLinks sleepable = forwarding::sleepable_links(graph, *plan, *tables);
  return FabricSetting{graph, std::move(*plan), std::move(*tables), std::move(sleepable), safety,
                       port};
}

Fabric::Fabric(netsim::Network& network, policy::Policy& policy, const FabricSetting& setting)
    : network_(network),
      setting_(setting),
      graph_(setting.graph),
      walker_(setting.graph, setting.plan, setting.tables),
      controller_(setting.graph, walker_, setting.sleepable,
                  controller::channel_facts(setting.graph, setting.sleepable, setting.port),
                  setting.safety, policy),
      down_(setting.graph.channel_count()),
      group_bytes_(setting.graph.channel_count()),
      next_groups_(setting.graph.switch_count()),
      live_(setting.graph.link_count(), true) {}

// Every switch is there and has its tables, and every cable runs as described.
void Fabric::begin() {
  begun_ = true;
  for (std::uint32_t s = 0; s < graph_.switch_count(); ++s) {
    controller_.joined(now_, s);
    controller_.rates_at(s, true);
  }
  for (std::uint32_t link = 0; link < graph_.link_count(); ++link)
    controller_.found_awake(now_, LinkId{link});
}

TimePoint Fabric::next() const {
  const TimePoint soonest = now_ + kSoon;
  if (!waiting_.empty() || !coming_up_.empty()) return soonest;
  const TimePoint tick = std::clamp(controller_.next_tick(), soonest, now_ + kLatest);
  return std::min({tick, next_counters_, next_probes_});
}

void Fabric::act() {
  now_ = network_.now();
  if (!begun_) begin();
  see_ports();
  if (now_ >= next_counters_) read_counters();
  hear_probes();
  controller_.tick(now_);
  give_orders();
  (void)controller_.take_journal();
}

// The simulator counts what was sent, not in how many frames. A controller wants to know whether
// there were any: bytes tell it as well.
void Fabric::read_counters() {
  next_counters_ = now_ + setting_.safety.counter_interval;
  const auto sent = [&](ChannelId channel) {
    return static_cast<std::uint64_t>(network_.use(channel).sent.count() / 8);
  };
  std::vector<controller::PortCount> counts;
  for (std::uint32_t which = 0; which < graph_.channel_count(); ++which) {
    const ChannelId end{which};
    if (graph_.is_host(graph_.source(end))) continue;
    counts.push_back({end, sent(end), sent(topology::reverse(end)), sent(end)});
  }
  controller_.counted(now_, counts);
  for (std::uint32_t s = 0; s < graph_.switch_count(); ++s) {
    if (now_ >= next_groups_[s]) count_groups(s);
    for (const ChannelId end : graph_.outputs(graph_.switch_node(s))) {
      if (controller_.wants_detours(end)) controller_.detoured(now_, end, group_bytes_[index(end)]);
    }
  }
}

void Fabric::count_groups(std::uint32_t device) {
  next_groups_[device] = now_ + kGroupsCount;
  for (const ChannelId output : graph_.outputs(graph_.switch_node(device)))
    group_bytes_[index(output)] = static_cast<std::uint64_t>(network_.bypassed(output).count() / 8);
}

// Links that carry packets, or are about to. What is being drained must be quiet.
bool Fabric::is_probed(ChannelId channel) const {
  const LinkId link = topology::link_of(channel);
  const LinkState state = controller_.link(link).state();
  return graph_.connects_switches(channel) && live_[index(link)] && state != LinkState::draining &&
         state != LinkState::asleep;
}

void Fabric::hear_probes() {
  const auto hear = [&](ChannelId channel) {
    if (is_probed(channel)) controller_.probe_heard(now_, channel);
  };
  if (now_ >= next_probes_) {
    next_probes_ = now_ + setting_.safety.probe_interval;
    for (std::uint32_t which = 0; which < graph_.channel_count(); ++which) hear(ChannelId{which});
  }
  // Links that wake do not wait for their turn.
  controller_.for_each_moving([&](LinkId link) {
    const ChannelId forth = topology::forward(link);
    for (const ChannelId channel : {forth, topology::reverse(forth)}) {
      if (controller_.link(link).wants_probe(channel)) hear(channel);
    }
  });
}

bool Fabric::carries(LinkId link) const {
  const auto is_up = [&](ChannelId channel) {
    const policy::State state = network_.state(channel);
    return state.mode == policy::Mode::active && !state.changing;
  };
  return is_up(topology::forward(link)) && is_up(topology::reverse(topology::forward(link)));
}

// Ports that were told to come up are live when the link carries packets.
void Fabric::see_ports() {
  for (auto link = coming_up_.begin(); link != coming_up_.end();) {
    if (!carries(*link)) {
      ++link;
      continue;
    }
    live_[index(*link)] = true;
    const ChannelId forth = topology::forward(*link);
    for (const ChannelId end : {forth, topology::reverse(forth)}) controller_.port(now_, end, true);
    link = coming_up_.erase(link);
  }
}

// What an answer leads to is given in its turn.
void Fabric::give_orders() {
  std::vector<Order> orders = std::exchange(waiting_, {});
  while (true) {
    for (Order& more : controller_.take_orders()) orders.push_back(more);
    if (orders.empty()) return;
    for (const Order& order : std::exchange(orders, {})) {
      if (!controller_.is_current(order)) continue;
      if (give(order)) {
        controller_.answered(now_, order, true);
      } else {
        waiting_.push_back(order);
      }
    }
  }
}

bool Fabric::give(const Order& order) {
  if (const auto* rate = std::get_if<controller::SetRate>(&order))
    return order_channel(rate->end, policy::SetRateLevel{rate->rate_level});
  // A switch whose groups or ports change looks at all its flows again, and counts them.
  count_groups(index(graph_.source(controller::end_of(order))));
  if (const auto* failover = std::get_if<controller::SetFailoverPreference>(&order)) {
    network_.divert(failover->end, failover->detour);
    return true;
  }
  const auto& port = std::get<controller::SetPort>(order);
  return set_port(port.end, port.up);
}

bool Fabric::order_channel(ChannelId channel, const policy::Order& order) {
  return network_.apply({policy::ChannelId{index(channel)}, order}).reason !=
         policy::Reason::changing;
}

// A link is up while both of its ends are, and the port at the other end sees it go at once.
bool Fabric::set_port(ChannelId end, bool up) {
  const LinkId link = topology::link_of(end);
  const ChannelId other = topology::reverse(end);
  down_[index(end)] = !up;
  const bool whole = !down_[index(end)] && !down_[index(other)];
  const policy::Order order =
      whole ? policy::Order{policy::Wake{}} : policy::Order{policy::Sleep{}};
  for (const ChannelId channel : {end, other}) {
    if (!order_channel(channel, order)) return false;
  }
  if (whole) {
    coming_up_.insert(link);
    return true;
  }
  coming_up_.erase(link);
  if (!live_[index(link)]) return true;
  live_[index(link)] = false;
  for (const ChannelId one : {end, other}) controller_.port(now_, one, false);
  return true;
}

netsim::OutcomeCounts Fabric::outcomes() const {
  netsim::OutcomeCounts counts;
  for (const auto& [reason, count] : controller_.decision_counts().actions)
    (reason == policy::Reason::done ? counts.done : counts.refused) += count;
  return counts;
}

}  // namespace ebb::simulated
