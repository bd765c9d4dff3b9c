// SPDX-License-Identifier: Apache-2.0
//
// The part of the controller that is told what the world does: counters, ports, probes, answers,
// switches that come and go, and what the controller before this one left.
#include "safety_rules.hpp"

#include "ebb/controller/controller.hpp"

#include <fmt/format.h>

namespace ebb::controller {

using topology::ChannelId;
using topology::LinkId;

void Controller::counted(TimePoint now, std::span<const PortCount> counts) {
  for (const PortCount& count : counts) {
    sampler_.count(now, count);
    change(now, topology::link_of(count.end),
           [&](LinkMachine& machine) { machine.sent(now, count.end, count.sent_frames); });
    if (!triggers_.has(count.end)) continue;
    triggers_.counted(now, count.end, count.sent_frames, count.sent_bytes);
    pull_triggers(now, topology::link_of(count.end));
  }
}

void Controller::detoured(TimePoint now, End end, std::uint64_t bytes) {
  if (!wants_detours(end)) return;
  triggers_.detoured(now, end, bytes);
  pull_triggers(now, topology::link_of(end));
}

void Controller::port(TimePoint now, End end, bool live) {
  // A host that goes is nobody's failure but its own.
  if (graph_.is_host(graph_.target(end))) return;
  change(now, topology::link_of(end), [&](LinkMachine& machine) { machine.port(now, end, live); });
}

void Controller::answered(TimePoint now, const Order& order, bool ok, const std::string& why) {
  if (const auto* of_rate = std::get_if<SetRate>(&order)) {
    return change_rate(now, topology::link_of(of_rate->end),
                       [&](LinkRate& rate) { rate.answered(now, *of_rate, ok, why); });
  }
  change(now, topology::link_of(end_of(order)),
         [&](LinkMachine& machine) { machine.answered(now, order, ok, why); });
}

void Controller::found_asleep(TimePoint now, LinkId link, bool both) {
  would_sleep_[index(link)] = true;
  unseen_[index(link)] = false;
  // What was restored, and is so, needs no orders.
  const bool known = machines_[index(link)].state() == LinkState::asleep;
  if (known && both) {
    const std::string why = "was found asleep: " + machines_[index(link)].why();
    journal_.push_back({now, link, LinkState::asleep, why});
  } else if (is_drained(link)) {
    return found_drained(now, link);
  } else {
    change(now, link, [&](LinkMachine& machine) { machine.found_asleep(now); });
  }
  if (both) {
    const ChannelId forth = topology::forward(link);
    wishes_[index(forth)] = wishes_[index(topology::reverse(forth))] = true;
    // It was not there to be woken with the others.
    if (!is_drained(link) && SafetyRules(*this, now, link).fails_nearby())
      to_wake_[link] = "something failed";
    return;
  }
  const std::string why = "was left half asleep";
  if (mode_ == RunMode::dry_run) return record_dry_run(now, link, false, why);
  change(now, link, [&](LinkMachine& machine) { machine.wake(now, why); });
}

// It stays down, also where a port of it was found up.
void Controller::found_drained(TimePoint now, LinkId link) {
  const bool known = machines_[index(link)].state() == LinkState::asleep;
  change(now, link, [&](LinkMachine& machine) {
    if (!known) machine.found_asleep(now);
    machine.stay_down(now);
  });
  if (known)
    journal_.push_back({now, link, LinkState::asleep, "is drained: a port of it was found up"});
}

void Controller::found_awake(TimePoint now, LinkId link) {
  unseen_[index(link)] = false;
  if (is_drained(link) && machines_[index(link)].state() == LinkState::asleep)
    return found_drained(now, link);
  change(now, link, [&](LinkMachine& machine) { machine.wake(now, "was found awake"); });
}

// Whatever was not active was diverted, and stays so until its ports are known.
void Controller::restore(TimePoint now, LinkId link, const PersistedLink& saved) {
  drained_[index(link)] = saved.drained;
  machines_[index(link)].keep_down(now, saved.drained);
  for (const Duration ago : saved.changed) transitions_[index(link)].push_back(now - ago);
  if (saved.state == LinkState::active) return;
  unseen_[index(link)] = true;
  machines_[index(link)].restored_asleep(now, saved.why);
  links_.moved(link, LinkState::active, machines_[index(link)].state());
  see(link);
}

PersistedLink Controller::persisted(TimePoint now, LinkId link) const {
  const LinkMachine& machine = machines_[index(link)];
  PersistedLink link_state{machine.state(), machine.why(), bool{drained_[index(link)]}, {}};
  for (const TimePoint at : transitions_[index(link)]) link_state.changed.push_back(now - at);
  return link_state;
}

void Controller::set_proven(End end, bool proven) {
  if (proven_[index(end)] == proven) return;
  proven_[index(end)] = proven;
  unproven_ = proven ? unproven_ - 1 : unproven_ + 1;
}

void Controller::probe_heard(TimePoint now, End end) {
  set_proven(end, true);
  change(now, topology::link_of(end), [&](LinkMachine& machine) { machine.probe_heard(now, end); });
}

void Controller::probe_missed(TimePoint now, End end) {
  set_proven(end, false);
  const std::string why =
      fmt::format("probes from {} to {} are lost", graph_.name(graph_.source(end)),
                  graph_.name(graph_.target(end)));
  change(now, topology::link_of(end),
         [&](LinkMachine& machine) { machine.probe_missed(now, end, why); });
}

void Controller::miscabled(TimePoint now, End end, const std::string& where) {
  set_proven(end, false);
  set_proven(topology::reverse(end), false);
  change(now, topology::link_of(end), [&](LinkMachine& machine) { machine.miscabled(now, where); });
}

void Controller::joined(TimePoint now, std::uint32_t device) {
  set_here(now, device, true);
  if (is_starting(device)) bring_back(now, device, "connected with its rules");
}

void Controller::left(TimePoint now, std::uint32_t device) {
  set_here(now, device, false);
  if (!is_absent_by_order(device)) switch_gone(now, device);
}

void Controller::set_here(TimePoint now, std::uint32_t device, bool here) {
  if (here_[device] != here) away_ = here ? away_ - 1 : away_ + 1;
  here_[device] = here;
  for (const ChannelId end : graph_.outputs(graph_.switch_node(device))) {
    if (!graph_.connects_switches(end)) continue;
    if (!here) set_proven(end, false);
    if (!here) set_proven(topology::reverse(end), false);
    change(now, topology::link_of(end),
           [&](LinkMachine& machine) { machine.reach(now, end, here); });
  }
}

}  // namespace ebb::controller
