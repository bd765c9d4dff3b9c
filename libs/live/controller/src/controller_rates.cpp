// SPDX-License-Identifier: Apache-2.0
// The part of the controller that decides about rates.
#include "safety_rules.hpp"

#include "ebb/controller/controller.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ebb::controller {

using policy::RateLevel;
using policy::Reason;
using topology::ChannelId;
using topology::LinkId;

DataRate Controller::rate_at(LinkId link, RateLevel step) const {
  return graph_.rate_table(graph_.link(link))[policy::index(step)];
}

bool Controller::all_at_full_rate() const { return slowed_.empty(); }

// Every change of a rate goes through here, as those of machines through change().
void Controller::change_rate(TimePoint now, LinkId link,
                             const std::function<void(LinkRate&)>& change) {
  LinkRate& rate = rates_[index(link)];
  change(rate);
  if (rate.is_full()) {
    slowed_.erase(link);
  } else {
    slowed_.insert(link);
  }
  for (const Order& order : rate.take_orders()) orders_.push_back(order);
  if (const auto made = rate.take_change()) {
    reset_triggers(now, link);
    journal_.push_back({now, link, machines_[index(link)].state(),
                        fmt::format("at {}: {}", to_text(rate_at(link, rate.step())), *made)});
  }
}

void Controller::found_steps(TimePoint now, LinkId link, RateLevel a, RateLevel b) {
  change_rate(now, link, [&](LinkRate& rate) { rate.found(now, a, b); });
}

// The two directions of a link may want different rates; it gets the faster one.
Reason Controller::set_step(TimePoint now, ChannelId channel) {
  const LinkId link = topology::link_of(channel);
  const topology::Link& ends = graph_.link(link);
  if (!graph_.connects_switches(ends)) return Reason::refused;  // the port of a host
  // What a switch can do is known when it is here.
  if (!both_here(link)) return Reason::refused;
  if (!sets_rates_[index(ends.a)] || !sets_rates_[index(ends.b)]) return Reason::not_supported;
  const LinkRate& rate = rates_[index(link)];
  const auto wish = [&](ChannelId one) { return step_wishes_[index(one)].value_or(rate.target()); };
  const RateLevel asked = wish(channel);
  if (asked > rate.top()) return Reason::not_supported;
  const RateLevel step = std::max(asked, wish(topology::reverse(channel)));
  if (step < rate.target() && too_slow(now, link, step)) return Reason::refused;
  if (mode_ == RunMode::dry_run) {
    say_would_run(now, link, step);
    return Reason::refused;
  }
  change_rate(now, link, [&](LinkRate& one) { one.set(now, step, "the policy asked"); });
  return step == asked ? Reason::done : Reason::refused;
}

// Why the link may not be slowed to that step now; nothing: it may. To speed up is always allowed.
std::optional<std::string> Controller::too_slow(TimePoint now, LinkId link, RateLevel step) const {
  const LinkMachine& machine = machines_[index(link)];
  const topology::Link& ends = graph_.link(link);
  if (machine.state() != LinkState::active)
    return fmt::format("it is {}", to_text(machine.state()));
  if (!here_[index(ends.a)] || !here_[index(ends.b)]) return "a switch cannot be reached";
  const ChannelId forth = topology::forward(link);
  for (const ChannelId channel : {forth, topology::reverse(forth)}) {
    // A dry run sends no probes.
    if (!proven_[index(channel)] && mode_ == RunMode::live) return "no probe came through it";
    const auto age = sampler_.age(now, channel);
    if (!age || *age > safety_.max_counter_age) return "its load is not known";
  }
  if (now - std::max(rates_[index(link)].since(), machine.since()) < safety_.min_rate_time)
    return "it has not had its rate for long";
  if (SafetyRules(*this, now, link).fails_nearby()) return "something near it has failed";
  const double busier = std::max(sampler_.load(forth), sampler_.load(topology::reverse(forth)));
  const double then = busier / static_cast<double>(rate_at(link, step).count());
  if (then > safety_.max_detour_utilisation)
    return fmt::format("it would be used {:.0f} %", 100 * then);
  return std::nullopt;
}

// Once for each step that the policy would have: it asks again and again, as nothing happens.
void Controller::say_would_run(TimePoint now, LinkId link, RateLevel step) {
  if (std::exchange(would_run_[index(link)], step) == step) return;
  journal_.push_back(
      {now, link, machines_[index(link)].state(),
       fmt::format("would run at {}: the policy asked", to_text(rate_at(link, step))), true});
}

}  // namespace ebb::controller
