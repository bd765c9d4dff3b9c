// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/controller.hpp"

#include "safety_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace ebb::controller {

using policy::Reason;
using topology::ChannelId;
using topology::LinkId;

namespace {

ChannelId channel_of(policy::ChannelId id) { return ChannelId{policy::index(id)}; }

}  // namespace

Controller::Controller(const topology::Graph& graph, const forwarding::TableWalker& walker,
                       forwarding::SleepableLinks sleepable, std::vector<ChannelFacts> facts,
                       const Safety& safety, policy::Policy& policy, RunMode mode)
    : graph_(graph),
      walker_(walker),
      reachability_(walker),
      sleepable_(std::move(sleepable)),
      safety_(safety),
      policy_(policy),
      mode_(mode),
      sampler_(graph, std::move(facts)),
      diverted_loads_(2 * std::size_t{graph.link_count()}),
      sets_rates_(graph.switch_count()),
      wishes_(2 * std::size_t{graph.link_count()}),
      step_wishes_(wishes_.size()),
      transitions_(graph.link_count()),
      drained_(graph.link_count()),
      unseen_(graph.link_count()),
      would_sleep_(graph.link_count()),
      here_(graph.switch_count()),
      away_(graph.switch_count()),
      links_(graph.link_count()),
      proven_(wishes_.size()),
      last_failure_(graph.link_count()) {
  machines_.reserve(graph.link_count());
  for (std::uint32_t link = 0; link < graph.link_count(); ++link) {
    const ChannelId forth = topology::forward(LinkId{link});
    machines_.emplace_back(forth, topology::reverse(forth), safety.times);
    for (const ChannelId end : {forth, topology::reverse(forth)}) {
      machines_.back().reach(TimePoint{}, end, false);
      unproven_ += graph.connects_switches(end) ? 1 : 0;
    }
    const auto top =
        static_cast<std::uint8_t>(graph.rate_table(graph.link(LinkId{link})).size() - 1);
    rates_.emplace_back(forth, topology::reverse(forth), policy::RateLevel{top});
    would_run_.push_back(policy::RateLevel{top});
  }
  // Counted from zero, so that what never happened is seen not to have happened.
  for (const std::string_view rule : SafetyRules::names()) counts_.refused_to_sleep[rule] = 0;
  counts_.refused_to_wake = {{"drained", 0}, {"min_sleep_time", 0}};
}

void Controller::use_equal_cost(const forwarding::EqualCostPaths& paths) {
  equal_cost_ = &paths;
  counts_.refused_to_sleep.erase("all_reachable");
  counts_.refused_to_sleep["min_next_hops"] = 0;
}

bool Controller::is_current(const Order& order) const {
  const LinkId link = topology::link_of(end_of(order));
  if (const auto* of_rate = std::get_if<SetRate>(&order))
    return rates_[index(link)].is_current(*of_rate);
  return machines_[index(link)].is_current(order);
}

std::vector<Order> Controller::take_orders() { return std::exchange(orders_, {}); }
std::vector<Entry> Controller::take_journal() { return std::exchange(journal_, {}); }

void Controller::after(TimePoint now, LinkId link, LinkState before) {
  const LinkMachine& machine = machines_[index(link)];
  links_.moved(link, before, machine.state());
  see(link);
  reset_triggers(now, link);
  journal_.push_back({now, link, machine.state(), machine.why()});
  if (before == LinkState::active) divert_load(link);
  if (machine.state() == LinkState::active) {
    restore_load(link);
  } else if (machine.state() != LinkState::draining) {
    settle_load(now, link);
  }
  if (machine.state() == LinkState::waking) hold_link(now, link);
  auto& transitions = transitions_[index(link)];
  if (before == LinkState::active || before == LinkState::asleep) transitions.push_back(now);
  std::erase_if(transitions, [&](TimePoint at) { return now - at > std::chrono::hours(1); });
  if (machine.state() == LinkState::failed) link_failed(now, link);
}

// Paths avoid a link that sleeps, goes to sleep, or wakes and carries nothing yet.
void Controller::see(LinkId link) {
  reachability_.set(link, state_seen(link) != LinkState::active);
}

// Frames go where they went, so counters never show what detours would carry.
void Controller::record_dry_run(TimePoint now, LinkId link, bool asleep, const std::string& why) {
  if (would_sleep_[index(link)] == asleep) return;
  would_sleep_[index(link)] = asleep;
  if (asleep) {
    divert_load(link);
  } else {
    restore_load(link);
  }
  see(link);
  journal_.push_back({now, link, machines_[index(link)].state(),
                      fmt::format("would {}: {}", asleep ? "sleep" : "wake", why), true});
}

// As the policy and the safety rules see it: what was only said counts as done.
LinkState Controller::state_seen(LinkId link) const {
  const LinkState real = machines_[index(link)].state();
  if (mode_ == RunMode::live || (real != LinkState::active && real != LinkState::asleep))
    return real;
  return would_sleep_[index(link)] ? LinkState::asleep : LinkState::active;
}

TimePoint Controller::next_tick() const {
  TimePoint next = next_sample_;
  for (const auto& [device, why] : switches_to_wake_) {
    if (switch_state(device) != SwitchState::going_off) return TimePoint{};
  }
  for (const LinkId link : links_.moving()) {
    if (const auto tick = machines_[index(link)].next_tick()) next = std::min(next, *tick);
  }
  return next;
}

void Controller::tick(TimePoint now) {
  links_.for_each_moving(
      [&](LinkId link) { change(now, link, [&](LinkMachine& machine) { machine.tick(now); }); });
  for (const LinkId link : std::set(slowed_))
    change_rate(now, link, [&](LinkRate& rate) { rate.tick(now); });
  wake_waiting(now);
  tick_switches(now);
  if (triggers_.any()) {
    links_.for_each_not_active([&](LinkId link) { pull_triggers(now, link); });
  }
  if (now < next_sample_ || shutting_down_) return;
  decide(now);
  keep_drained(now);
  next_sample_ = now + std::max(policy_.sample_period(), safety_.min_decision_interval);
}

// Links that were drained and are active: the one before did not get them down, or their tables
// did not let them go.
void Controller::keep_drained(TimePoint now) {
  for (std::uint32_t which = 0; which < machines_.size(); ++which) {
    const LinkId link{which};
    if (!drained_[which] || is_out(link) || mode_ == RunMode::dry_run ||
        SafetyRules(*this, now, link).first_objection(SafetyRules::Who::operator_of_it))
      continue;
    change(now, link, [&](LinkMachine& machine) { machine.sleep(now, "was drained before"); });
  }
}

// A policy that has failed leaves nothing behind that could still put a link to sleep. It is done
// again and again, because switches that were away come back with links asleep.
void Controller::go_on_without_policy(TimePoint now) {
  triggers_ = {};
  wishes_.assign(wishes_.size(), false);
  wanted_off_.clear();
  objections_to_off_.clear();
  wake_all(now, "the policy has failed");
}

void Controller::decide(TimePoint now) {
  if (policy_failure_) return go_on_without_policy(now);
  // Those of a network that others route are not known.
  if (counts_.decisions == 0 && policy_.needs_next_hops() && equal_cost_ == nullptr)
    policy_.set_next_hops(next_hops_of(walker_));
  const std::vector<policy::State> seen = states();
  ++counts_.decisions;
  const auto stall = [&](ChannelId channel) { return triggers_.take_stall(now, channel); };
  const policy::Sample sample = sampler_.sample(now, seen, stall);
  diverted_loads_.forget_measured([&](ChannelId detour) { return sampler_.load_since(detour); });
  const std::vector<policy::Action> actions = policy_.decide(sample);
  policy_failure_ = policy_.failure();
  if (policy_failure_) return go_on_without_policy(now);
  step_wishes_.assign(step_wishes_.size(), std::nullopt);
  for (const policy::Action& action : actions) {
    const auto* wish = std::get_if<policy::SetRateLevel>(&action.order);
    const std::uint32_t which = policy::index(action.channel);
    if (wish != nullptr && which < step_wishes_.size()) step_wishes_[which] = wish->rate_level;
  }
  drain_what_policy_wants(now, actions);
  for (const policy::Action& action : actions) {
    const policy::Outcome outcome = apply(now, action);
    ++counts_.actions[outcome.reason];
    policy_.on_outcome(outcome);
  }
  relieve_detours(now);
}

policy::Outcome Controller::apply(TimePoint now, const policy::Action& action) {
  const std::uint32_t which = policy::index(action.channel);
  policy::Outcome outcome{.asked = action, .at = now};
  if (which >= wishes_.size()) {
    outcome.reason = Reason::unknown_channel;
    return outcome;
  }
  const ChannelId channel = channel_of(action.channel);
  outcome.reason = std::holds_alternative<policy::Sleep>(action.order)  ? sleep(now, channel)
                   : std::holds_alternative<policy::Wake>(action.order) ? wake(now, channel)
                   : std::holds_alternative<policy::SetRateLevel>(action.order)
                       ? set_step(now, channel)
                       : arm(now, channel, action.order);
  outcome.applied = state_of(channel);
  return outcome;
}

// A link is one port at each end, so it sleeps when the policy wants both directions asleep.
Reason Controller::sleep(TimePoint now, ChannelId channel) {
  const LinkId link = topology::link_of(channel);
  wishes_[index(channel)] = true;
  if (goes_whole(link)) {
    if (is_leaving(link) || is_out(link)) return Reason::done;
    ++counts_.refused_to_sleep["switch"];
    return Reason::refused;
  }
  const bool both = wishes_[index(topology::reverse(channel))];
  if (both || !sleepable_.may_sleep[index(link)]) {
    const SafetyRules rules(*this, now, link, SafetyRules::Texts::left_out);
    if (const auto check = rules.first_objection(SafetyRules::Who::policy)) {
      ++counts_.refused_to_sleep[check->rule];
      return Reason::refused;
    }
  }
  if (!both) return Reason::changing;
  if (mode_ == RunMode::dry_run) {
    record_dry_run(now, link, true, "the policy asked");
    return Reason::done;
  }
  change(now, link, [&](LinkMachine& machine) { machine.sleep(now, "the policy asked"); });
  return Reason::done;
}

Reason Controller::wake(TimePoint now, ChannelId channel) {
  const LinkId link = topology::link_of(channel);
  wishes_[index(channel)] = false;
  if (is_drained(link) || is_leaving(link)) return wake_switches_of(now, channel);
  if (unseen_[index(link)]) return Reason::refused;
  if (mode_ == RunMode::dry_run) {
    record_dry_run(now, link, false, "the policy asked");
    return Reason::done;
  }
  const LinkMachine& machine = machines_[index(link)];
  if (machine.state() == LinkState::asleep && now - machine.since() < safety_.min_sleep_time) {
    ++counts_.refused_to_wake["min_sleep_time"];
    return Reason::refused;
  }
  change(now, link, [&](LinkMachine& one) { one.wake(now, "the policy asked"); });
  return Reason::done;
}

std::optional<std::string> Controller::objection(TimePoint now, LinkId link) const {
  const auto check = SafetyRules(*this, now, link).first_objection(SafetyRules::Who::policy);
  return check ? check->objection : std::nullopt;
}

std::vector<RuleCheck> Controller::checks(TimePoint now, LinkId link) const {
  return SafetyRules(*this, now, link).all();
}

std::optional<std::string> Controller::drain(TimePoint now, LinkId link) {
  if (!graph_.connects_switches(link)) return "it is the link of a host";
  if (mode_ == RunMode::dry_run) return "this is a dry run";
  if (is_out(link)) return "it is drained with a switch of it";
  if (drained_[index(link)]) return "it is drained already";
  if (machines_[index(link)].state() == LinkState::active) {
    const SafetyRules rules(*this, now, link);
    if (auto check = rules.first_objection(SafetyRules::Who::operator_of_it))
      return check->objection;
  }
  drained_[index(link)] = true;
  to_wake_.erase(link);
  change(now, link, [&](LinkMachine& machine) {
    machine.sleep(now, "drained by an operator");
    machine.keep_down(now, true);
  });
  return std::nullopt;
}

std::optional<std::string> Controller::undrain(TimePoint now, LinkId link) {
  if (!drained_[index(link)]) return "it is not drained";
  if (unseen_[index(link)]) return "its switches are not here yet";
  if (is_out(link)) return "a switch of it is drained";
  drained_[index(link)] = false;
  change(now, link, [&](LinkMachine& machine) {
    machine.keep_down(now, false);
    machine.wake(now, "undrained by an operator");
  });
  return std::nullopt;
}

policy::State Controller::state_of(ChannelId channel) const {
  const LinkId link = topology::link_of(channel);
  const LinkMachine& machine = machines_[index(link)];
  const policy::RateLevel step = rates_[index(link)].step();
  const TimePoint until = machine.next_tick().value_or(TimePoint{});
  switch (state_seen(link)) {
    case LinkState::active:
      return policy::active(step);
    case LinkState::draining:
      return policy::changing(policy::asleep(step), until);
    case LinkState::waking:
      return policy::changing(policy::active(step), until);
    case LinkState::asleep:
    case LinkState::failed:
      return policy::asleep(step);
  }
  return policy::active(step);
}

std::vector<policy::State> Controller::states() const {
  std::vector<policy::State> result;
  result.reserve(wishes_.size());
  for (std::uint32_t which = 0; which < wishes_.size(); ++which) {
    result.push_back(state_of(ChannelId{which}));
  }
  return result;
}

}  // namespace ebb::controller
