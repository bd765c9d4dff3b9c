// SPDX-License-Identifier: Apache-2.0
#include "ebb/fabric/controller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace ebb::fabric {

using policy::Reason;
using topology::ChannelId;
using topology::LinkId;

namespace {

ChannelId channel_of(policy::ChannelId id) { return ChannelId{policy::index(id)}; }

std::string seconds_text(Duration time) {
  return fmt::format("{:.1f} s", std::chrono::duration<double>(time).count());
}

}  // namespace

Controller::Controller(const topology::Graph& graph, const Reach& reach, Sleepers sleepers,
                       std::vector<ChannelFacts> facts, const Safety& safety,
                       policy::Policy& policy, Doing doing)
    : graph_(graph),
      reach_(reach),
      sleepers_(std::move(sleepers)),
      safety_(safety),
      policy_(policy),
      doing_(doing),
      sampler_(graph, std::move(facts)),
      wishes_(2 * std::size_t{graph.link_count()}),
      transitions_(graph.link_count()),
      taken_out_(graph.link_count()),
      here_(graph.switch_count()) {
  for (std::uint32_t link = 0; link < graph.link_count(); ++link) {
    const ChannelId forth = topology::forward(LinkId{link});
    machines_.emplace_back(forth, topology::reverse(forth), safety.times);
  }
}

std::vector<Order> Controller::take_orders() { return std::exchange(orders_, {}); }
std::vector<Entry> Controller::take_journal() { return std::exchange(journal_, {}); }

// Every change of a machine goes through here: its orders are collected, its moves written down.
template <class Change>
void Controller::change(TimePoint now, LinkId link, const Change& change) {
  LinkMachine& machine = machines_[index(link)];
  const LinkState before = machine.state();
  change(machine);
  for (const Order& order : machine.take_orders()) orders_.push_back(order);
  if (machine.state() != before) after(now, link, before);
}

void Controller::after(TimePoint now, LinkId link, LinkState before) {
  const LinkMachine& machine = machines_[index(link)];
  journal_.push_back({now, link, machine.state(), machine.why()});
  auto& transitions = transitions_[index(link)];
  if (before == LinkState::active || before == LinkState::asleep) transitions.push_back(now);
  while (!transitions.empty() && now - transitions.front() > std::chrono::hours(1))
    transitions.pop_front();
  if (machine.state() != LinkState::failed) return;
  last_failure_ = now;
  wake_all(now, "a link has failed: " + graph_.name(graph_.link(link).a) + " to " +
                    graph_.name(graph_.link(link).b));
}

void Controller::wake_all(TimePoint now, const std::string& why) {
  for (std::uint32_t link = 0; link < machines_.size(); ++link) {
    change(now, LinkId{link}, [&](LinkMachine& machine) { machine.wake(now, why); });
  }
}

void Controller::retire(TimePoint now) {
  retired_ = true;
  wake_all(now, "the controller goes");
}

void Controller::counted(TimePoint now, std::span<const PortCount> counts) {
  for (const PortCount& count : counts) {
    sampler_.count(count);
    change(now, topology::link_of(count.end),
           [&](LinkMachine& machine) { machine.sent(now, count.end, count.sent_frames); });
  }
}

void Controller::port(TimePoint now, End end, bool live) {
  // A host that goes is nobody's failure but its own.
  if (graph_.is_host(graph_.target(end))) return;
  change(now, topology::link_of(end), [&](LinkMachine& machine) { machine.port(now, end, live); });
}

void Controller::answered(TimePoint now, const Order& order, bool ok, const std::string& why) {
  change(now, topology::link_of(end_of(order)),
         [&](LinkMachine& machine) { machine.answered(now, order, ok, why); });
}

void Controller::found_asleep(TimePoint now, LinkId link, bool both) {
  change(now, link, [&](LinkMachine& machine) { machine.found_asleep(now); });
  if (both) {
    const ChannelId forth = topology::forward(link);
    wishes_[index(forth)] = wishes_[index(topology::reverse(forth))] = true;
    return;
  }
  change(now, link, [&](LinkMachine& machine) { machine.wake(now, "was left half asleep"); });
}

void Controller::joined(TimePoint /*now*/, std::uint32_t device) { here_[device] = true; }

void Controller::left(TimePoint now, std::uint32_t device) {
  here_[device] = false;
  last_failure_ = now;
}

TimePoint Controller::next_tick() const {
  TimePoint next = next_sample_;
  for (const LinkMachine& machine : machines_) {
    if (const auto tick = machine.next_tick()) next = std::min(next, *tick);
  }
  return next;
}

void Controller::tick(TimePoint now) {
  for (std::uint32_t link = 0; link < machines_.size(); ++link) {
    change(now, LinkId{link}, [&](LinkMachine& machine) { machine.tick(now); });
  }
  if (now < next_sample_ || retired_) return;
  decide(now);
  next_sample_ = now + std::max(policy_.sample_period(), safety_.least_period);
}

void Controller::decide(TimePoint now) {
  const std::vector<policy::State> seen = states();
  for (const policy::Action& action : policy_.decide(sampler_.sample(now, seen))) {
    policy_.learn(apply(now, action));
  }
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
                                                                        : Reason::not_supported;
  outcome.applied = state_of(channel);
  return outcome;
}

// A link is one port at each end, so it sleeps when the policy wants both directions asleep.
Reason Controller::sleep(TimePoint now, ChannelId channel) {
  const LinkId link = topology::link_of(channel);
  if (!sleepers_.may_sleep[index(link)]) return Reason::refused;
  wishes_[index(channel)] = true;
  if (!wishes_[index(topology::reverse(channel))]) return Reason::changing;
  if (objection(now, link)) return Reason::refused;
  if (doing_ == Doing::only_says) {
    journal_.push_back({now, link, LinkState::asleep, "would sleep: the policy asked"});
    return Reason::refused;
  }
  change(now, link, [&](LinkMachine& machine) { machine.sleep(now, "the policy asked"); });
  return Reason::done;
}

Reason Controller::wake(TimePoint now, ChannelId channel) {
  const LinkId link = topology::link_of(channel);
  wishes_[index(channel)] = false;
  if (taken_out_[index(link)]) return Reason::refused;
  const LinkMachine& machine = machines_[index(link)];
  if (machine.state() == LinkState::asleep && now - machine.since() < safety_.asleep_for)
    return Reason::refused;
  change(now, link, [&](LinkMachine& one) { one.wake(now, "the policy asked"); });
  return Reason::done;
}

std::optional<std::string> Controller::objection(TimePoint now, LinkId link) const {
  const LinkMachine& machine = machines_[index(link)];
  if (taken_out_[index(link)]) return "it was taken out";
  if (!sleepers_.may_sleep[index(link)]) return "it belongs to the connected core";
  if (now - machine.since() < safety_.awake_for)
    return "it has been active for less than " + seconds_text(safety_.awake_for);
  return unsafe(now, link);
}

std::optional<std::string> Controller::unsafe(TimePoint now, LinkId link) const {
  const LinkMachine& machine = machines_[index(link)];
  const topology::Link& ends = graph_.link(link);
  if (machine.state() != LinkState::active)
    return fmt::format("it is {}", to_text(machine.state()));
  if (!wiring_known_) return "the cables have not been checked yet";
  if (!here_[index(ends.a)] || !here_[index(ends.b)]) return "a switch cannot be reached";
  if (last_failure_ && now - *last_failure_ < safety_.calm)
    return "something failed less than " + seconds_text(safety_.calm) + " ago";
  if (std::any_of(machines_.begin(), machines_.end(),
                  [](const LinkMachine& one) { return one.state() == LinkState::failed; }))
    return "a link has failed";
  const auto moving = std::count_if(machines_.begin(), machines_.end(), [](const LinkMachine& one) {
    return one.state() == LinkState::draining || one.state() == LinkState::waking;
  });
  if (moving >= safety_.at_once) return "enough links are changing";
  const auto& transitions = transitions_[index(link)];
  const auto recent = std::count_if(transitions.begin(), transitions.end(), [&](TimePoint at) {
    return now - at <= std::chrono::hours(1);
  });
  if (recent >= safety_.transitions_per_hour) return "it changed too often within an hour";
  if (!reaches_everyone_without(link)) return "hosts would not reach each other";
  return too_busy(link);
}

// Beside what sleeps, is on its way there, or comes back and carries nothing yet.
bool Controller::reaches_everyone_without(LinkId link) const {
  std::vector<bool> away(machines_.size());
  for (std::uint32_t other = 0; other < machines_.size(); ++other)
    away[other] = machines_[other].state() != LinkState::active;
  away[index(link)] = true;
  return reach_.everyone(away);
}

std::optional<std::string> Controller::take_out(TimePoint now, LinkId link) {
  if (graph_.is_host(graph_.link(link).a) || graph_.is_host(graph_.link(link).b))
    return "it is the link of a host";
  if (taken_out_[index(link)]) return "it is taken out already";
  if (machines_[index(link)].state() == LinkState::active) {
    if (auto why = unsafe(now, link)) return why;
  }
  taken_out_[index(link)] = true;
  change(now, link, [&](LinkMachine& machine) { machine.sleep(now, "taken out by an operator"); });
  return std::nullopt;
}

std::optional<std::string> Controller::put_back(TimePoint now, LinkId link) {
  if (!taken_out_[index(link)]) return "it was not taken out";
  taken_out_[index(link)] = false;
  change(now, link, [&](LinkMachine& machine) { machine.wake(now, "put back by an operator"); });
  return std::nullopt;
}

// All that the link sends may take the same detour.
std::optional<std::string> Controller::too_busy(LinkId link) const {
  const ChannelId forth = topology::forward(link);
  for (const ChannelId channel : {forth, topology::reverse(forth)}) {
    const double moved = sampler_.utilisation(channel);
    for (const ChannelId other : sleepers_.instead[index(channel)]) {
      const double then = moved + sampler_.utilisation(other);
      if (then <= safety_.spare) continue;
      return fmt::format("{} to {} would be used {:.0f} %", graph_.name(graph_.source(other)),
                         graph_.name(graph_.target(other)), 100 * then);
    }
  }
  return std::nullopt;
}

policy::State Controller::state_of(ChannelId channel) const {
  const LinkId link = topology::link_of(channel);
  const auto top = static_cast<std::uint8_t>(graph_.ladder(graph_.link(link)).size() - 1);
  const LinkMachine& machine = machines_[index(link)];
  const policy::RateStep step{top};
  const TimePoint until = machine.next_tick().value_or(TimePoint{});
  switch (machine.state()) {
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
  for (std::uint32_t which = 0; which < wishes_.size(); ++which) {
    result.push_back(state_of(ChannelId{which}));
  }
  return result;
}

}  // namespace ebb::fabric
