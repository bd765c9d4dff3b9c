// SPDX-License-Identifier: Apache-2.0
//
// Whole switches by the policy. When it wants every link of a switch asleep, the switch is drained
// as an operator would drain it, with the same rules, and loses its power; when it wants one of
// them awake, or the network needs the switch, it comes back. One switch is drained at a time, so
// that the others are at rest while its load moves. Links of a switch that is wanted off sleep
// together with it or not at all.
#include "ebb/controller/controller.hpp"
#include "ebb/topology/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::controller {

using policy::Reason;
using topology::ChannelId;
using topology::LinkId;

namespace {

// Out of use, and nothing of it changes.
bool is_at_rest(SwitchState state) {
  return state == SwitchState::drained || state == SwitchState::off;
}

std::string seconds_text(Duration time) {
  return fmt::format("{:.0f} s", std::chrono::duration<double>(time).count());
}

}  // namespace

void Controller::use_power(const SwitchPower& power) {
  power_ = power;
  whole_.clear();
  if (!power.by_policy || dry_run()) return;
  counts_.refused_to_sleep["switch"] = 0;
  counts_.refused_to_wake["min_off_time"] = 0;
  for (const std::uint32_t device : power.devices) {
    if (!topology::has_hosts(graph_, device)) whole_.insert(device);
  }
}

bool Controller::is_drained_by_policy(std::uint32_t device) const {
  const auto found = out_.find(device);
  return found != out_.end() && found->second.by == DrainedBy::policy;
}

bool Controller::is_on_its_way_back(std::uint32_t device) const {
  const SwitchState state = switch_state(device);
  return state == SwitchState::starting || state == SwitchState::returning ||
         state == SwitchState::lost;
}

bool Controller::has_drained_by_policy() const {
  return std::any_of(out_.begin(), out_.end(),
                     [](const auto& out) { return out.second.by == DrainedBy::policy; });
}

std::optional<std::string> Controller::objection_to_off(std::uint32_t device) const {
  const auto found = objections_to_off_.find(device);
  return found == objections_to_off_.end() ? std::nullopt : std::optional(found->second);
}

bool Controller::goes_whole(LinkId link) const {
  if (wanted_off_.empty() || !graph_.connects_switches(link)) return false;
  const topology::Link& ends = graph_.link(link);
  return wanted_off_.contains(index(ends.a)) || wanted_off_.contains(index(ends.b));
}

// ---- out of use

// As its wishes will be when these actions are carried out. A policy that says nothing of a switch
// that it has drained wants it as it is, also where it once asked for it in vain.
void Controller::drain_what_policy_wants(TimePoint now, std::span<const policy::Action> actions) {
  if (whole_.empty()) return;
  std::vector<bool> asleep = wishes_;
  for (const auto& [device, entry] : out_) {
    if (entry.by != DrainedBy::policy) continue;
    for (const LinkId link : links_of(device)) {
      const ChannelId forth = topology::forward(link);
      asleep[index(forth)] = asleep[index(topology::reverse(forth))] = true;
    }
  }
  for (const policy::Action& action : actions) {
    const std::uint32_t which = policy::index(action.channel);
    if (which >= asleep.size()) continue;
    if (std::holds_alternative<policy::Sleep>(action.order)) asleep[which] = true;
    if (std::holds_alternative<policy::Wake>(action.order)) asleep[which] = false;
  }
  wanted_off_.clear();
  objections_to_off_.clear();
  for (const std::uint32_t device : whole_) {
    const std::vector<LinkId> links = links_of(device);
    const bool all = std::all_of(links.begin(), links.end(), [&](LinkId link) {
      const ChannelId forth = topology::forward(link);
      return asleep[index(forth)] && asleep[index(topology::reverse(forth))];
    });
    if (all && !links.empty()) wanted_off_.insert(device);
  }
  for (const std::uint32_t device : wanted_off_) {
    if (switch_state(device) != SwitchState::in_use) continue;
    if (auto objection = cannot_go_off(now, device)) {
      objections_to_off_[device] = std::move(*objection);
    } else {
      begin_drain(now, {device}, DrainedBy::policy, "the policy wants all its links asleep");
    }
  }
}

std::optional<std::string> Controller::cannot_go_off(TimePoint now, std::uint32_t device) {
  if (shutting_down_) return "the controller is about to end";
  for (const auto& [other, entry] : out_) {
    if (!is_at_rest(entry.state)) {
      return fmt::format("{} is {}: one switch at a time", graph_.name(graph_.switch_node(other)),
                         to_text(entry.state));
    }
  }
  const auto used = used_since_.find(device);
  if (used != used_since_.end() && now - used->second < power_.min_use_time)
    return "it has been in use for less than " + seconds_text(power_.min_use_time);
  return switches_needed(now, {device});
}

// ---- back into use

// Switches of the link that the policy has drained.
std::vector<std::uint32_t> Controller::drained_at(LinkId link) const {
  std::vector<std::uint32_t> devices;
  const topology::Link& ends = graph_.link(link);
  for (const topology::NodeId end : {ends.a, ends.b}) {
    if (!graph_.is_host(end) && is_drained_by_policy(index(end))) devices.push_back(index(end));
  }
  return devices;
}

// The policy wants a channel awake, of which a switch is out of use.
Reason Controller::wake_switches_of(TimePoint now, ChannelId channel) {
  const std::vector<std::uint32_t> devices = drained_at(topology::link_of(channel));
  if (devices.empty() || drained_[index(topology::link_of(channel))]) {
    ++counts_.refused_to_wake["drained"];
    return Reason::refused;
  }
  for (const std::uint32_t device : devices) {
    const SwitchEntry& out = out_.at(device);
    if (is_at_rest(out.state) && now - out.at < power_.min_off_time) {
      ++counts_.refused_to_wake["min_off_time"];
      return Reason::refused;
    }
  }
  for (const std::uint32_t device : devices) {
    wake_switch(device,
                fmt::format("the policy wants {} to {} awake", graph_.name(graph_.source(channel)),
                            graph_.name(graph_.target(channel))));
  }
  return Reason::changing;
}

void Controller::wake_switch(std::uint32_t device, const std::string& why) {
  if (is_drained_by_policy(device) && !is_on_its_way_back(device))
    switches_to_wake_.emplace(device, why);
}

void Controller::wake_all_switches(const std::string& why) {
  for (const auto& [device, entry] : out_) wake_switch(device, why);
}

// Of those the ones that have one of these switches as a neighbour; all of them when hosts do not
// reach each other.
void Controller::wake_switches_around(const std::set<std::uint32_t>& devices,
                                      const std::string& why) {
  if (!has_drained_by_policy()) return;
  if (!reachability_.all_reachable()) return wake_all_switches(why);
  for (const auto& [device, entry] : out_) {
    const std::vector<LinkId> links = links_of(device);
    if (std::any_of(links.begin(), links.end(), [&, out = device](LinkId link) {
          return devices.contains(other_end(link, out));
        }))
      wake_switch(device, why);
  }
}

// A channel that is too full ends at a neighbour of a switch that is out of use: of several the one
// that went last.
void Controller::relieve_by_switch(ChannelId detour) {
  std::optional<SwitchEntry> best;
  for (const auto& [device, entry] : out_) {
    if (entry.by != DrainedBy::policy || is_on_its_way_back(device) ||
        switches_to_wake_.contains(device))
      continue;
    const std::vector<LinkId> links = links_of(device);
    const bool helps = std::any_of(links.begin(), links.end(), [&, out = device](LinkId link) {
      const topology::NodeId neighbour = graph_.switch_node(other_end(link, out));
      return neighbour == graph_.source(detour) || neighbour == graph_.target(detour);
    });
    if (helps && (!best || entry.at > best->at)) best = entry;
  }
  if (!best) return;
  ++counts_.woken_by_full_detours;
  wake_switch(best->device,
              fmt::format("{} to {} is used {:.0f} %", graph_.name(graph_.source(detour)),
                          graph_.name(graph_.target(detour)), 100 * detour_utilisation(detour)));
}

// One that is being switched off has to be off before it can be switched on.
void Controller::wake_waiting_switches(TimePoint now) {
  for (auto at = switches_to_wake_.begin(); at != switches_to_wake_.end();) {
    const std::uint32_t device = at->first;
    const SwitchState state = switch_state(device);
    if (state == SwitchState::going_off) {
      ++at;
      continue;
    }
    const std::string why = at->second;
    at = switches_to_wake_.erase(at);
    if (state == SwitchState::off) start(now, device, why);
    if (state == SwitchState::draining || state == SwitchState::drained)
      bring_back(now, device, why);
  }
}

}  // namespace ebb::controller
