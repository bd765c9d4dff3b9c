// SPDX-License-Identifier: Apache-2.0
//
// Whole switches out of use and back (switch_state.hpp has the states).
//
// While switches are drained, frames are on their way by paths of three kinds: as before through
// the switches, which still forward; around them, as when all their links sleep, which is tried
// before anything is ordered; or first as the second kind and then as the first, where a neighbour
// has not been told yet. The switches forward in all of these, so no order in which neighbours
// obey loses a frame.
#include "safety_rules.hpp"

#include "ebb/controller/controller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ebb::controller {

using topology::ChannelId;
using topology::LinkId;

namespace {

constexpr std::array<std::string_view, 8> kSwitchStates{
    "in use", "draining", "drained", "going off", "off", "starting", "returning", "lost"};

constexpr std::string_view kByOperator = "an operator drains it";

}  // namespace

std::string_view to_text(SwitchState state) {
  return kSwitchStates[static_cast<std::size_t>(state)];
}

std::string_view to_text(DrainedBy who) { return who == DrainedBy::policy ? "policy" : "operator"; }

std::optional<DrainedBy> drained_by(std::string_view text) {
  for (const DrainedBy who : {DrainedBy::an_operator, DrainedBy::policy}) {
    if (to_text(who) == text) return who;
  }
  return std::nullopt;
}

std::optional<SwitchState> switch_state(std::string_view text) {
  const auto found = std::find(kSwitchStates.begin(), kSwitchStates.end(), text);
  if (found == kSwitchStates.end()) return std::nullopt;
  return static_cast<SwitchState>(found - kSwitchStates.begin());
}

SwitchState Controller::switch_state(std::uint32_t device) const {
  const auto found = out_.find(device);
  return found == out_.end() ? SwitchState::in_use : found->second.state;
}

// Until it is here again with its rules, its links are those of an operator's drain.
bool Controller::keeps_links_down(std::uint32_t device) const {
  const SwitchState state = switch_state(device);
  return state != SwitchState::in_use && state != SwitchState::draining &&
         state != SwitchState::returning;
}

bool Controller::is_absent_by_order(std::uint32_t device) const {
  const SwitchState state = switch_state(device);
  return state == SwitchState::going_off || state == SwitchState::off ||
         state == SwitchState::starting;
}

bool Controller::is_starting(std::uint32_t device) const {
  const SwitchState state = switch_state(device);
  return state == SwitchState::starting || state == SwitchState::lost;
}

bool Controller::is_out(LinkId link) const {
  if (out_.empty() || !graph_.connects_switches(link)) return false;
  const topology::Link& ends = graph_.link(link);
  return keeps_links_down(index(ends.a)) || keeps_links_down(index(ends.b));
}

// What wakes links for their own sake would undo the drain of a switch.
bool Controller::is_leaving(LinkId link) const {
  if (out_.empty() || !graph_.connects_switches(link)) return false;
  const topology::Link& ends = graph_.link(link);
  return switch_state(index(ends.a)) == SwitchState::draining ||
         switch_state(index(ends.b)) == SwitchState::draining;
}

// Some neighbour uses it.
bool Controller::carries(std::uint32_t device) const {
  const std::vector<LinkId> links = links_of(device);
  return std::any_of(links.begin(), links.end(), [&](LinkId link) {
    return machines_[index(link)].state() == LinkState::active;
  });
}

bool Controller::reached_with(const std::vector<LinkId>& links) {
  for (const LinkId link : links) reachability_.set(link, false);
  const bool reached = reachability_.all_reachable();
  for (const LinkId link : links) see(link);
  return reached;
}

std::vector<LinkId> Controller::links_of(std::uint32_t device) const {
  std::vector<LinkId> links;
  for (const ChannelId output : graph_.outputs(graph_.switch_node(device))) {
    if (graph_.connects_switches(output)) links.push_back(topology::link_of(output));
  }
  return links;
}

std::uint32_t Controller::other_end(LinkId link, std::uint32_t device) const {
  const topology::Link& ends = graph_.link(link);
  return index(ends.a) == device ? index(ends.b) : index(ends.a);
}

End Controller::end_at(LinkId link, std::uint32_t device) const {
  const ChannelId forth = topology::forward(link);
  return index(graph_.source(forth)) == device ? forth : topology::reverse(forth);
}

void Controller::enter(TimePoint now, std::uint32_t device, SwitchState state,
                       const std::string& why) {
  const auto before = out_.find(device);
  const SwitchEntry entry{now, device, state, why,
                          before == out_.end() ? DrainedBy{} : before->second.by};
  switch_journal_.push_back(entry);
  if (state == SwitchState::in_use) {
    out_.erase(device);
    used_since_[device] = now;
  } else {
    out_[device] = entry;
  }
}

std::vector<PowerOrder> Controller::take_power_orders() { return std::exchange(power_orders_, {}); }
std::vector<SwitchEntry> Controller::take_switch_journal() {
  return std::exchange(switch_journal_, {});
}

// ---- whether switches may go

std::optional<std::string> Controller::links_cannot_go(TimePoint now, std::uint32_t device) const {
  for (const LinkId link : links_of(device)) {
    const LinkState state = machines_[index(link)].state();
    if (state == LinkState::draining || state == LinkState::waking)
      return fmt::format("{} is {}: ask again", link_text(link), to_text(state));
    if (unseen_[index(link)]) return "the ports of " + link_text(link) + " are not known yet";
    if (state == LinkState::asleep || is_drained(link)) continue;
    if (auto objection = SafetyRules(*this, now, link).objection_to_drain_switch())
      return link_text(link) + ": " + *objection;
  }
  return std::nullopt;
}

// Hosts that would not reach each other, or nothing. Only few pairs are walked to name one.
std::optional<std::string> Controller::pair_cut_off(const std::set<LinkId>& links) {
  constexpr std::uint64_t kMostPairs = 1'000'000;
  for (const LinkId link : links) reachability_.set(link, true);
  const bool reached = reachability_.all_reachable();
  const std::vector<bool> asleep = reachability_.asleep();
  for (const LinkId link : links) see(link);
  if (reached) return std::nullopt;
  const std::uint32_t hosts = graph_.host_count();
  for (std::uint64_t pair = 0; pair < std::min(kMostPairs, std::uint64_t{hosts} * hosts); ++pair) {
    const auto from = static_cast<std::uint32_t>(pair / hosts);
    const auto to = static_cast<std::uint32_t>(pair % hosts);
    if (from != to && !walker_.walk(from, to, asleep)) {
      return fmt::format("{} would not reach {}", graph_.name(graph_.host_node(from)),
                         graph_.name(graph_.host_node(to)));
    }
  }
  return "hosts would not reach each other";
}

// What a neighbour sends to these switches, or gets from them, may all move to any one of its other
// links that is in use.
std::optional<std::string> Controller::neighbours_overloaded(
    const std::set<std::uint32_t>& devices) const {
  struct Moved {
    double to = 0;
    double from = 0;
  };
  std::map<std::uint32_t, Moved> moved;
  for (const std::uint32_t device : devices) {
    for (const LinkId link : links_of(device)) {
      const ChannelId to = end_at(link, device);
      Moved& one = moved[other_end(link, device)];
      one.from += load_expected(to);
      one.to += load_expected(topology::reverse(to));
    }
  }
  for (const auto& [neighbour, load] : moved) {
    if (devices.contains(neighbour)) continue;
    for (const LinkId link : links_of(neighbour)) {
      if (devices.contains(other_end(link, neighbour)) ||
          machines_[index(link)].state() != LinkState::active)
        continue;
      const ChannelId out = end_at(link, neighbour);
      const auto rate = static_cast<double>(rate_at(link, rates_[index(link)].least()).count());
      const double used = std::max(load_expected(out) + load.to,
                                   load_expected(topology::reverse(out)) + load.from) /
                          rate;
      if (used > safety_.max_detour_utilisation)
        return fmt::format("{} might be used {:.0f} %", link_text(link), 100 * used);
    }
  }
  return std::nullopt;
}

std::optional<std::string> Controller::switches_needed(TimePoint now,
                                                       const std::set<std::uint32_t>& devices) {
  std::set<LinkId> links;
  for (const std::uint32_t device : devices) {
    const std::string name = graph_.name(graph_.switch_node(device));
    if (switch_state(device) != SwitchState::in_use)
      return fmt::format("{} is {} already", name, to_text(switch_state(device)));
    std::string hosts;
    for (const ChannelId output : graph_.outputs(graph_.switch_node(device))) {
      const topology::NodeId next = graph_.target(output);
      if (graph_.is_host(next)) hosts += (hosts.empty() ? "" : ", ") + graph_.name(next);
    }
    if (!hosts.empty()) return fmt::format("hosts hang on {}: {}", name, hosts);
    if (!here_[device]) return name + " cannot be reached";
    if (auto objection = links_cannot_go(now, device)) return objection;
    for (const LinkId link : links_of(device)) links.insert(link);
  }
  if (auto objection = pair_cut_off(links)) return objection;
  return neighbours_overloaded(devices);
}

// ---- orders of operators

std::optional<std::string> Controller::drain_switches(TimePoint now,
                                                      const std::set<std::uint32_t>& devices) {
  if (mode_ == RunMode::dry_run) return "this is a dry run";
  if (shutting_down_) return "the controller is about to end";
  // What the policy has drained is the operator's from now on, in the state that it is in.
  std::set<std::uint32_t> others = devices;
  std::erase_if(others, [&](std::uint32_t device) {
    return is_drained_by_policy(device) && !is_on_its_way_back(device);
  });
  if (auto objection = others.empty() ? std::nullopt : switches_needed(now, others))
    return objection;
  for (const std::uint32_t device : devices) {
    if (others.contains(device)) continue;
    out_.at(device).by = DrainedBy::an_operator;
    switches_to_wake_.erase(device);
    switch_journal_.push_back(out_.at(device));
    switch_journal_.back().why = kByOperator;
  }
  begin_drain(now, others, DrainedBy::an_operator, std::string(kByOperator));
  return std::nullopt;
}

void Controller::begin_drain(TimePoint now, const std::set<std::uint32_t>& devices, DrainedBy who,
                             const std::string& why) {
  for (const std::uint32_t device : devices) {
    out_[device].by = who;
    enter(now, device, SwitchState::draining, why);
    for (const LinkId link : links_of(device)) {
      to_wake_.erase(link);
      if (devices.contains(other_end(link, device))) continue;  // when nothing leads there any more
      change(now, link, [&](LinkMachine& machine) {
        machine.avoid(now, end_at(link, device));
        machine.sleep(now, "its switch is drained");
      });
    }
  }
}

std::optional<std::string> Controller::undrain_switches(TimePoint now,
                                                        const std::set<std::uint32_t>& devices) {
  for (const std::uint32_t device : devices) {
    const SwitchState state = switch_state(device);
    if (state == SwitchState::in_use)
      return graph_.name(graph_.switch_node(device)) + " is not drained";
    if (state == SwitchState::going_off)
      return graph_.name(graph_.switch_node(device)) + " is being switched off: ask again";
  }
  for (const std::uint32_t device : devices) {
    const SwitchState state = switch_state(device);
    if (state == SwitchState::off || state == SwitchState::lost) {
      start(now, device, "undrained by an operator");
    } else if (state == SwitchState::draining || state == SwitchState::drained) {
      bring_back(now, device, "undrained by an operator");
    }
  }
  return std::nullopt;
}

// ---- power

void Controller::power_answered(TimePoint now, const PowerOrder& order, bool ok,
                                const std::string& why) {
  const SwitchState state = switch_state(order.device);
  if (!order.on && state == SwitchState::going_off) {
    // Drained, and with power: no further attempt, because nobody waits for it.
    return ok ? enter(now, order.device, SwitchState::off, "switched off")
              : enter(now, order.device, SwitchState::drained, "could not be switched off: " + why);
  }
  if (order.on && !ok && state == SwitchState::starting)
    enter(now, order.device, SwitchState::lost, "could not be switched on: " + why);
}

void Controller::start(TimePoint now, std::uint32_t device, const std::string& why) {
  enter(now, device, SwitchState::starting, why);
  if (power_.devices.contains(device)) power_orders_.push_back({device, true});
}

// ---- on the way

// All switches that are drained go down together: none of their links carries a frame by then.
void Controller::drain_on(TimePoint now) {
  std::vector<std::uint32_t> devices;
  bool ready = true;
  for (const auto& [device, entry] : out_) {
    if (entry.state == SwitchState::draining) devices.push_back(device);
  }
  for (const std::uint32_t device : devices) {
    for (const LinkId link : links_of(device)) {
      const LinkMachine& machine = machines_[index(link)];
      if (switch_state(other_end(link, device)) == SwitchState::draining) continue;
      if (machine.state() == LinkState::asleep) continue;
      ready = ready && machine.is_ready(now);
      if (machine.state() == LinkState::draining) continue;
      const std::string why =
          fmt::format("the drain is undone: {} {}", link_text(link), machine.why());
      for (const std::uint32_t one : devices) bring_back(now, one, why);
      return;
    }
  }
  if (!ready) return;
  for (const std::uint32_t device : devices) go_down(now, device);
}

void Controller::go_down(TimePoint now, std::uint32_t device) {
  bool down = true;
  for (const LinkId link : links_of(device)) {
    change(now, link, [&](LinkMachine& machine) {
      machine.sleep(now, "both its switches are drained");
      machine.release(now);
    });
    down = down && machines_[index(link)].state() == LinkState::asleep;
  }
  if (!down) return;
  enter(now, device, SwitchState::drained, "its links are asleep");
  for (const LinkId link : links_of(device))
    change(now, link, [&](LinkMachine& machine) { machine.keep_down(now, true); });
  if (!power_.devices.contains(device)) return;
  enter(now, device, SwitchState::going_off, "its links are asleep");
  power_orders_.push_back({device, false});
}

// A link that wakes while a switch of it returns waits for the others.
void Controller::hold_link(TimePoint now, LinkId link) {
  if (out_.empty()) return;
  const topology::Link& ends = graph_.link(link);
  for (const std::uint32_t device : {index(ends.a), index(ends.b)}) {
    const SwitchState state = switch_state(device);
    if (state != SwitchState::draining && state != SwitchState::returning) continue;
    if (carries(device)) continue;
    return change(now, link,
                  [&](LinkMachine& machine) { machine.avoid(now, end_at(link, device)); });
  }
}

void Controller::bring_back(TimePoint now, std::uint32_t device, const std::string& why) {
  enter(now, device, SwitchState::returning, why);
  for (const LinkId link : links_of(device)) {
    if (is_drained(link)) continue;
    change(now, link, [&](LinkMachine& machine) {
      machine.keep_down(now, false);
      if (machine.state() == LinkState::draining) machine.wake(now, why);
    });
  }
  if (carries(device)) return;
  for (const LinkId link : links_of(device)) {
    if (is_drained(link)) continue;
    change(now, link, [&](LinkMachine& machine) { machine.avoid(now, end_at(link, device)); });
  }
}

// Links that cannot come up are not waited for longer than they have to wake. Hosts that reach each
// other without the switch are not given to one that reaches only some of its neighbours.
void Controller::return_on(TimePoint now, std::uint32_t device) {
  if (!here_[device]) {
    if (now - out_.at(device).at >= power_.start_limit)
      enter(now, device, SwitchState::lost, "did not come back in time");
    return;
  }
  bool all = true;
  std::vector<LinkId> ready;
  for (const LinkId link : links_of(device)) {
    if (is_drained(link) || !here_[other_end(link, device)]) continue;
    const LinkMachine& machine = machines_[index(link)];
    if (machine.state() == LinkState::asleep && may_wake(link))
      change(now, link, [&](LinkMachine& one) { one.wake(now, "its switch is back"); });
    if (machine.is_ready(now)) {
      ready.push_back(link);
    } else if (machine.state() != LinkState::active && machine.state() != LinkState::failed) {
      all = false;
    }
  }
  if (!all) return;
  if (ready.empty()) return enter(now, device, SwitchState::in_use, "its links are in use");
  if (!reached_with(ready) && reached_with({})) return;
  for (const LinkId link : ready)
    change(now, link, [&](LinkMachine& machine) { machine.release(now); });
}

void Controller::tick_switches(TimePoint now) {
  if (out_.empty()) return;
  wake_waiting_switches(now);
  drain_on(now);
  for (const auto& [device, entry] : std::map(out_)) {
    if (entry.state == SwitchState::returning) return_on(now, device);
    if (entry.state == SwitchState::starting && now - entry.at >= power_.start_limit)
      enter(now, device, SwitchState::lost, "did not come back in time");
    // Tried again for as long as it takes; it is routed around meanwhile.
    if (entry.state == SwitchState::lost && power_.devices.contains(device) &&
        now - entry.at >= power_.start_limit)
      start(now, device, "switched on once more");
  }
}

// ---- what the controller before this one left

// A drain that had not come to its end is undone: some neighbours may use the switch still, and it
// forwards. What was drained stays so.
void Controller::restore(TimePoint now, std::uint32_t device, const PersistedSwitch& saved) {
  if (saved.state == SwitchState::in_use) return;
  const bool undone = saved.state == SwitchState::draining || saved.state == SwitchState::returning;
  out_[device].by = saved.by;
  enter(now, device, undone ? SwitchState::returning : saved.state,
        undone ? "the controller before had not finished: undone" : saved.why);
  for (const LinkId link : links_of(device)) {
    if (!undone && machines_[index(link)].state() == LinkState::active)
      restore(now, link, {LinkState::asleep, "its switch is drained", false, {}});
    change(now, link, [&](LinkMachine& machine) {
      if (machine.state() != LinkState::active) machine.avoid(now, end_at(link, device));
      if (!undone) machine.keep_down(now, true);
    });
  }
  // Orders to a power driver may have been lost with their controller.
  if (saved.state == SwitchState::going_off) {
    enter(now, device, power_.devices.contains(device) ? saved.state : SwitchState::drained,
          saved.why);
    if (power_.devices.contains(device)) power_orders_.push_back({device, false});
  }
  if (saved.state == SwitchState::starting || saved.state == SwitchState::lost)
    start(now, device, "switched on once more");
  if (saved.by == DrainedBy::policy && !whole_.contains(device))
    wake_switch(device, "the policy drains it no more");
}

}  // namespace ebb::controller
