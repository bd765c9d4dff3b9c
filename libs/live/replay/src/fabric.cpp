// SPDX-License-Identifier: Apache-2.0
#include "ebb/replay/fabric.hpp"

#include "ebb/core/check.hpp"
#include "ebb/counters/collector.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

namespace ebb::replay {

using controller::LinkState;
using controller::Order;
using topology::ChannelId;
using topology::LinkId;

namespace {

// As often as a controller of live switches looks while links are on their way.
constexpr Duration kSoon = std::chrono::milliseconds(1);
// A point in time is a number of picoseconds and ends after 106 days. A controller is followed by
// another one before that, which takes over what is so, as one does that is started again.
constexpr Duration kControllerLives = std::chrono::hours(24 * 80);
constexpr double kBitsPerByte = 8;
// Of a step: the first one still sees the loads of the step before, as the first one of the next
// step sees those of this one again.
constexpr std::uint64_t kDecisionsThatSettle = 2;

double seconds(Duration time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

Result<FabricSetting> routed_setting(const topology::Graph& graph, const controller::Safety& safety,
                                     const power::PortWatts& port,
                                     const forwarding::EqualCostOptions& options) {
  auto paths = forwarding::EqualCostPaths::make(graph, options);
  if (!paths) return fail(paths.error());
  auto setting = fabric_setting(graph, safety, port);
  if (!setting) return setting;
  setting->sleepable = paths->sleepable();
  setting->equal_cost = std::move(*paths);
  return setting;
}

Fabric::Fabric(const FabricSetting& setting, const files::Named& policy, Meter& meter)
    : setting_(setting),
      graph_(setting.graph),
      policy_name_(policy),
      walker_(setting.graph, setting.plan, setting.tables),
      detours_(walker_, setting),
      meter_(meter),
      known_(graph_.channel_count()),
      sent_(graph_.channel_count()),
      carried_(graph_.channel_count()),
      bits_(graph_.channel_count()),
      detoured_(graph_.channel_count()),
      down_(graph_.channel_count()),
      seen_(graph_.link_count(), LinkState::active) {
  start();
}

// Every switch is there and has its tables, and every cable runs as described.
void Fabric::start() {
  auto made = policy::make_policy(policy_name_.name, policy_name_.parameters);
  EBB_CHECK(made.has_value(), "whoever replays a policy has made it before");
  policy_ = std::move(made->policy);
  controller_ = std::make_unique<controller::Controller>(
      graph_, walker_, setting_.sleepable,
      controller::channel_facts(graph_, setting_.sleepable, setting_.port), setting_.safety,
      *policy_);
  if (setting_.equal_cost) controller_->use_equal_cost(*setting_.equal_cost);
  const controller::Safety& safety = setting_.safety;
  settling_ = std::max({safety.min_awake_time, safety.min_sleep_time, safety.min_rate_time,
                        policy_->shortest_idle().value_or(Duration{})}) +
              2 * std::max(policy_->sample_period(), safety.min_decision_interval);
  now_ = loads_since_ = read_at_ = last_change_ = TimePoint{};
  for (std::uint32_t s = 0; s < graph_.switch_count(); ++s) {
    controller_->joined(now_, s);
    controller_->rates_at(s, true);
  }
  for (std::uint32_t which = 0; which < graph_.channel_count(); ++which) {
    const ChannelId channel{which};
    const bool is_up = !down_[which] && !down_[index(topology::reverse(channel))];
    if (graph_.connects_switches(channel) && is_up) controller_->probe_heard(now_, channel);
  }
}

// What sleeps is found asleep, with what the controller before it has kept of it.
void Fabric::restart() {
  counts_before_ = decision_counts();
  const std::unique_ptr<controller::Controller> before = std::move(controller_);
  std::vector<controller::PersistedLink> kept;
  for (std::uint32_t which = 0; which < graph_.link_count(); ++which)
    kept.push_back(before->persisted(now_, LinkId{which}));
  start();
  std::fill(bits_.begin(), bits_.end(), 0);
  std::fill(detoured_.begin(), detoured_.end(), 0);
  for (std::uint32_t which = 0; which < graph_.link_count(); ++which) {
    const LinkId link{which};
    if (!graph_.connects_switches(link)) continue;
    controller_->restore(now_, link, kept[which]);
    const policy::RateLevel level = before->rate_level(link);
    controller_->found_steps(now_, link, level, level);
    const ChannelId forth = topology::forward(link);
    const bool one = down_[index(forth)];
    const bool other = down_[index(topology::reverse(forth))];
    if (one || other) {
      controller_->found_asleep(now_, link, one && other);
    } else {
      controller_->found_awake(now_, link);
    }
  }
  give_orders();
  (void)controller_->take_journal();  // nothing has changed
}

controller::DecisionCounts Fabric::decision_counts() const {
  controller::DecisionCounts counts = counts_before_;
  const controller::DecisionCounts& more = controller_->decision_counts();
  counts.decisions += more.decisions;
  counts.woken_by_full_detours += more.woken_by_full_detours;
  for (const auto& [reason, count] : more.actions) counts.actions[reason] += count;
  for (const auto& [rule, count] : more.refused_to_sleep) counts.refused_to_sleep[rule] += count;
  for (const auto& [rule, count] : more.refused_to_wake) counts.refused_to_wake[rule] += count;
  return counts;
}

// A load that is not known is taken to be what it was, and objects to sleep.
void Fabric::take_loads(std::span<const float> sent) {
  for (std::uint32_t which = 0; which < sent.size(); ++which) {
    known_[which] = counters::is_known(sent[which]);
    if (!known_[which] || sent_[which] == sent[which]) continue;
    sent_[which] = sent[which];
    loads_changed_ = true;
  }
}

// Counters as they stand, before loads become others.
void Fabric::refresh_loads() {
  const double time = seconds(now_ - loads_since_);
  for (std::uint32_t which = 0; which < bits_.size(); ++which) {
    bits_[which] += carried_[which] * time;
    if (detours_.is_diverted(topology::link_of(ChannelId{which})))
      detoured_[which] += double{sent_[which]} * time;
  }
  loads_since_ = now_;
}

std::uint64_t Fabric::bytes_sent(ChannelId channel) const {
  const double bits =
      bits_[index(channel)] + carried_[index(channel)] * seconds(now_ - loads_since_);
  return static_cast<std::uint64_t>(bits / kBitsPerByte);
}

void Fabric::pass(std::span<const float> sent, Duration step) {
  if (now_ + step > TimePoint{} + kControllerLives) restart();
  refresh_loads();
  take_loads(sent);
  see_changes();
  const TimePoint end = now_ + step;
  decisions_at_start_ = controller_->decision_counts().decisions;
  act();
  while (now_ < end) {
    pass_time(is_settled() ? end : std::min(end, next()));
    if (now_ < end) act();
  }
}

// Nothing is under way, nothing has changed for as long as a rule may have to wait, and the loads
// of the step were decided about.
bool Fabric::is_settled() const {
  return controller_->count(LinkState::draining) == 0 &&
         controller_->count(LinkState::waking) == 0 &&
         controller_->decision_counts().decisions - decisions_at_start_ >= kDecisionsThatSettle &&
         now_ - last_change_ >= settling_;
}

TimePoint Fabric::next() const {
  if (!probes_wanted().empty()) return now_ + kSoon;  // a controller of switches sends them at once
  const TimePoint tick = std::max(controller_->next_tick(), now_ + kSoon);
  const bool is_moving = controller_->count(LinkState::draining) > 0 || controller_->has_triggers();
  return is_moving ? std::min(tick, read_at_ + setting_.safety.counter_interval) : tick;
}

void Fabric::pass_time(TimePoint until) {
  meter_.pass(until - now_);
  now_ = until;
}

void Fabric::act() {
  const bool decides = controller_->next_tick() <= now_;
  if (decides || now_ - read_at_ >= setting_.safety.counter_interval)
    read_counters(decides || controller_->has_triggers());
  hear_probes();
  controller_->tick(now_);
  give_orders();
  see_changes();
}

void Fabric::read(ChannelId end, std::vector<controller::PortCount>& counts) const {
  if (graph_.is_host(graph_.source(end))) return;
  const ChannelId back = topology::reverse(end);
  const bool of_host = graph_.is_host(graph_.target(end));
  if (!known_[index(end)] || (of_host && !known_[index(back)])) return;
  const std::uint64_t sent = bytes_sent(end);
  counts.push_back({end, sent, of_host ? bytes_sent(back) : 0, sent});
}

// Counters have bytes, not frames. A controller wants to know whether there were any: bytes tell it
// as well.
void Fabric::read_counters(bool all) {
  read_at_ = now_;
  std::vector<controller::PortCount> counts;
  if (all) {
    for (std::uint32_t which = 0; which < graph_.channel_count(); ++which)
      read(ChannelId{which}, counts);
  } else {
    controller_->for_each_moving([&](LinkId link) {
      const ChannelId forth = topology::forward(link);
      for (const ChannelId end : {forth, topology::reverse(forth)}) read(end, counts);
    });
  }
  controller_->counted(now_, counts);
  if (!controller_->has_triggers()) return;
  for (std::uint32_t which = 0; which < graph_.channel_count(); ++which) {
    const ChannelId end{which};
    if (!controller_->wants_detours(end)) continue;
    const bool goes = detours_.is_diverted(topology::link_of(end));
    const double bits =
        detoured_[which] + (goes ? double{sent_[which]} * seconds(now_ - loads_since_) : 0);
    controller_->detoured(now_, end, static_cast<std::uint64_t>(bits / kBitsPerByte));
  }
}

// Of links whose ports have come up, both ways.
std::vector<ChannelId> Fabric::probes_wanted() const {
  std::vector<ChannelId> wanted;
  if (controller_->count(LinkState::waking) == 0) return wanted;
  controller_->for_each_moving([&](LinkId link) {
    const ChannelId forth = topology::forward(link);
    for (const ChannelId channel : {forth, topology::reverse(forth)}) {
      if (controller_->link(link).wants_probe(channel)) wanted.push_back(channel);
    }
  });
  return wanted;
}

void Fabric::hear_probes() {
  for (const ChannelId channel : probes_wanted()) controller_->probe_heard(now_, channel);
}

// What an answer leads to is given in its turn.
void Fabric::give_orders() {
  while (true) {
    const std::vector<Order> orders = controller_->take_orders();
    if (orders.empty()) return;
    for (const Order& order : orders) {
      if (!controller_->is_current(order)) continue;
      give(order);
      controller_->answered(now_, order, true);
    }
  }
}

void Fabric::give(const Order& order) {
  if (std::holds_alternative<controller::SetRate>(order)) {
    loads_changed_ = true;
    return;
  }
  const ChannelId end = controller::end_of(order);
  if (const auto* failover = std::get_if<controller::SetFailoverPreference>(&order)) {
    refresh_loads();
    detours_.divert(topology::link_of(end), failover->detour);
    loads_changed_ = true;
    return;
  }
  // The port at the other end sees it at once.
  const ChannelId other = topology::reverse(end);
  const bool was_whole = !down_[index(end)] && !down_[index(other)];
  down_[index(end)] = !std::get<controller::SetPort>(order).up;
  const bool whole = !down_[index(end)] && !down_[index(other)];
  if (whole == was_whole) return;
  for (const ChannelId one : {end, other}) controller_->port(now_, one, whole);
}

// What the meter is told, and the loads of what has changed.
void Fabric::see_changes() {
  for (const controller::Entry& entry : controller_->take_journal()) {
    const LinkId link = entry.link;
    last_change_ = now_;
    meter_.set_level(link, controller_->rate_level(link));
    EBB_CHECK(entry.state != LinkState::failed, "no port, cable or switch of a replay fails");
    // An entry about the rate of a link also says its state.
    const LinkState before = std::exchange(seen_[index(link)], entry.state);
    if (before != entry.state && entry.state == LinkState::asleep) meter_.count_sleep();
    if (before != entry.state && entry.state == LinkState::waking) meter_.count_wake();
    meter_.set_asleep(link, controller_->link(link).state() == LinkState::asleep);
  }
  if (!std::exchange(loads_changed_, false)) return;
  refresh_loads();
  detours_.move(sent_, carried_);
  double highest = 0;
  for (std::uint32_t which = 0; which < carried_.size(); ++which) {
    const LinkId link = topology::link_of(ChannelId{which});
    if (!graph_.connects_switches(link)) continue;
    const auto rates = graph_.rate_table(graph_.link(link));
    const auto rate = rates[policy::index(controller_->rate_level(link))];
    highest = std::max(highest, carried_[which] / static_cast<double>(rate.count()));
  }
  meter_.set_highest(highest);
}

}  // namespace ebb::replay
