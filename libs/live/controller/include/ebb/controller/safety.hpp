// SPDX-License-Identifier: Apache-2.0
//
// What a live fabric may not do, whatever the policy asks for; what a safety rule says about a
// link; and what became of the policy's actions.
#pragma once

#include "ebb/controller/link_machine.hpp"
#include "ebb/policy/action.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/units/time.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace ebb::controller {

struct Safety {
  LinkTimes times;
  Duration min_awake_time = std::chrono::seconds(2);   // a link stays active before it sleeps again
  Duration min_sleep_time = std::chrono::seconds(1);   // and asleep before the policy may wake it
  Duration failure_holdoff = std::chrono::seconds(5);  // without a failure before links sleep again
  // Between two decisions, however often the policy would like to: counters are read every tenth of
  // a second, and what a reading adds must not look like a burst.
  Duration min_decision_interval = std::chrono::milliseconds(500);
  Duration min_rate_time = std::chrono::seconds(1);  // a link keeps a rate before it is slowed
  // Each link is probed so often, both ways. One that loses three probes in a row is diverted,
  // within three intervals. Fabrics of many links are probed less often
  // (drivers/probe_schedule.hpp).
  Duration probe_interval = std::chrono::seconds(1);
  // Between two readings of port counters. Channels are told to be idle no sooner: a policy with
  // triggers of shorter idle times is refused.
  Duration counter_interval = std::chrono::milliseconds(100);
  // Load that was read longer ago is not known, and what is not known objects to sleep.
  Duration max_counter_age = std::chrono::seconds(1);
  // Highest utilisation that a detour or a slower rate may lead to.
  double max_detour_utilisation = 0.5;
  // A link wakes when a detour of it is used more: half-way between the above and full, where the
  // fabric file does not say it.
  double wake_detour_utilisation = 0.75;
  std::uint32_t transitions_per_hour = 120;  // of a link, sleep and wake counted
  std::uint32_t max_concurrent = 8;          // links on their way to sleep or back
  // Of tables that a single failure breaks, although the network would survive it: a check of the
  // fabric fails unless they are accepted.
  bool accept_single_points = false;

  bool operator==(const Safety&) const = default;
};

// Why a policy cannot run with these rules, with the remedy; nothing: it can. Ports have one rate
// both ways, and counters are read only so often.
[[nodiscard]] std::optional<std::string> cannot_keep(const policy::Made& policy,
                                                     const Safety& safety);

// What a safety rule says about a link that is to be put to sleep.
struct RuleCheck {
  std::string_view rule;  // its name, that of the key in the fabric file where there is one
  std::string present;    // the value that it looked at, with its unit
  std::string needed;     // for the link to sleep
  std::optional<std::string> objection;  // none: it has nothing against it
};

// How often the policy decided, and what became of its actions. Counted since the start.
struct DecisionCounts {
  std::uint64_t decisions = 0;                                 // samples that the policy was given
  std::map<policy::Reason, std::uint64_t> actions;             // by what became of them
  std::map<std::string_view, std::uint64_t> refused_to_sleep;  // by the rule that objected first
  std::map<std::string_view, std::uint64_t> refused_to_wake;
  std::uint64_t woken_by_full_detours = 0;  // links, by safety.wake_detour_utilisation
};

}  // namespace ebb::controller
