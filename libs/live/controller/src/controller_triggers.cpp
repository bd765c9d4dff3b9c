// SPDX-License-Identifier: Apache-2.0
//
// The part of the controller that carries out triggers for ports: what a channel of the simulator
// does by itself is done for both channels of a link here, when its counters are read, under the
// same safety rules and by the same machine as what a policy asks for at once.
#include "safety_rules.hpp"

#include "ebb/controller/controller.hpp"

#include <algorithm>
#include <variant>

namespace ebb::controller {

using policy::RateLevel;
using policy::Reason;
using topology::ChannelId;
using topology::LinkId;

namespace {

// What a safety rule objected to is not tried at every reading.
constexpr Duration kTryAgain = std::chrono::milliseconds(100);

}  // namespace

Reason Controller::arm(TimePoint now, ChannelId channel, const policy::Order& order) {
  // The port of a host is never touched.
  if (!graph_.connects_switches(channel)) return Reason::refused;
  // For packets that have no other next hop, and would wait for ever. Here every frame has one, the
  // detour, or the link would not sleep.
  if (std::holds_alternative<policy::WakeWhenQueued>(order)) return Reason::done;
  if (std::holds_alternative<policy::WakeWhenAnnounced>(order)) return Reason::not_supported;
  triggers_.arm(now, channel, order);
  return Reason::done;
}

void Controller::reset_triggers(TimePoint now, LinkId link) {
  const ChannelId forth = topology::forward(link);
  for (const ChannelId channel : {forth, topology::reverse(forth)}) triggers_.changed(now, channel);
}

void Controller::pull_triggers(TimePoint now, LinkId link) {
  if (shutting_down_) return;
  if (const auto again = try_again_.find(link); again != try_again_.end()) {
    if (now < again->second) return;
    try_again_.erase(again);
  }
  switch (state_seen(link)) {
    case LinkState::active:
      sleep_idle(now, link);
      return change_idle_rate(now, link);
    case LinkState::draining:
    case LinkState::asleep:
      return wake_wanted(now, link);
    case LinkState::waking:
    case LinkState::failed:
      return;
  }
}

// A link is one port at each end: it sleeps when both its channels are idle, and so are armed.
void Controller::sleep_idle(TimePoint now, LinkId link) {
  const ChannelId forth = topology::forward(link);
  if (!triggers_.wants_sleep(now, forth) || !triggers_.wants_sleep(now, topology::reverse(forth)))
    return;
  const SafetyRules rules(*this, now, link, SafetyRules::Texts::left_out);
  if (const auto check = rules.first_objection(SafetyRules::Who::policy)) {
    ++counts_.refused_to_sleep[check->rule];
    try_again_[link] = now + kTryAgain;
    return;
  }
  if (mode_ == RunMode::dry_run) {
    record_dry_run(now, link, true, "it is idle");
    return reset_triggers(now, link);
  }
  change(now, link, [&](LinkMachine& machine) { machine.sleep(now, "it is idle"); });
}

// In a dry run the link carries its frames itself, and would have woken for them.
void Controller::wake_wanted(TimePoint now, LinkId link) {
  if (unseen_[index(link)] || is_drained(link) || is_leaving(link)) return;
  const ChannelId forth = topology::forward(link);
  const auto wanted = [&](ChannelId channel) {
    return mode_ == RunMode::dry_run ? triggers_.has_sent(channel)
                                     : triggers_.wants_wake(now, channel);
  };
  if (!wanted(forth) && !wanted(topology::reverse(forth))) return;
  if (mode_ == RunMode::dry_run) {
    record_dry_run(now, link, false, "frames want it");
    return reset_triggers(now, link);
  }
  const LinkMachine& machine = machines_[index(link)];
  if (machine.state() == LinkState::asleep && now - machine.since() < safety_.min_sleep_time) {
    ++counts_.refused_to_wake["min_sleep_time"];
    try_again_[link] = std::min(now + kTryAgain, machine.since() + safety_.min_sleep_time);
    return;
  }
  change(now, link, [&](LinkMachine& one) { one.wake(now, "frames want it"); });
}

// Faster as soon as one direction wants it, slower when both do.
void Controller::change_idle_rate(TimePoint now, LinkId link) {
  const topology::Link& ends = graph_.link(link);
  if (!both_here(link) || !sets_rates_[index(ends.a)] || !sets_rates_[index(ends.b)]) return;
  const ChannelId forth = topology::forward(link);
  const ChannelId back = topology::reverse(forth);
  const RateLevel target = dry_run() ? would_run_[index(link)] : rates_[index(link)].target();
  const auto set = [&](RateLevel level, const char* why) {
    if (mode_ == RunMode::dry_run) return say_would_run(now, link, level);
    change_rate(now, link, [&](LinkRate& rate) { rate.set(now, level, why); });
  };
  if (const auto fast = std::max(triggers_.wants_fast(forth), triggers_.wants_fast(back)); fast) {
    if (*fast > target) set(std::min(*fast, rates_[index(link)].top()), "frames want it");
    return;
  }
  const auto slow = triggers_.wants_slow(now, forth);
  const auto slow_back = triggers_.wants_slow(now, back);
  if (!slow || !slow_back || std::max(*slow, *slow_back) >= target) return;
  const RateLevel level = std::max(*slow, *slow_back);
  if (too_slow(now, link, level)) {
    try_again_[link] = now + kTryAgain;
    return;
  }
  set(level, "it is idle");
}

}  // namespace ebb::controller
