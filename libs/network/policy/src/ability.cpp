// SPDX-License-Identifier: Apache-2.0
#include "ebb/policy/ability.hpp"

#include "ebb/policy/policy.hpp"

#include <algorithm>
#include <variant>

namespace ebb::policy {
namespace {

bool has(const Abilities& abilities, Ability one) {
  return std::find(abilities.begin(), abilities.end(), one) != abilities.end();
}

// Which abilities make an order meaningful.
struct MayGive {
  const Abilities& by;

  bool operator()(const SetRateLevel& /*order*/) const { return true; }
  bool operator()(const Wake& /*order*/) const { return true; }
  bool operator()(const Disarm& /*order*/) const { return true; }
  bool operator()(const Sleep& /*order*/) const {
    return has(by, Ability::sleep) || has(by, Ability::sleep_of_tiers);
  }
  bool operator()(const WakeWhenQueued& /*order*/) const { return (*this)(Sleep{}); }
  bool operator()(const SleepWhenIdle& /*order*/) const {
    return has(by, Ability::sleep_when_idle) || (*this)(WakeWhenAnnounced{});
  }
  bool operator()(const WakeWhenAnnounced& order) const {
    return has(by, Ability::wake_when_planned) ||
           (has(by, Ability::wake_when_announced) && !order.planned);
  }
  bool operator()(const SlowDownWhenIdle& /*order*/) const {
    return has(by, Ability::slow_when_idle);
  }
  bool operator()(const SpeedUpWhenQueued& /*order*/) const {
    return has(by, Ability::slow_when_idle);
  }
};

}  // namespace

std::string_view to_text(Ability ability) {
  switch (ability) {
    case Ability::set_rate:
      return "changes the rates of channels";
    case Ability::sleep:
      return "puts channels to sleep where packets have another next hop";
    case Ability::sleep_of_tiers:
      return "puts channels of a tier above 0 to sleep";
    case Ability::slow_when_idle:
      return "lets channels slow down by themselves when they are idle";
    case Ability::sleep_when_idle:
      return "lets channels sleep by themselves when they are idle";
    case Ability::wake_when_announced:
      return "lets hosts announce their messages to the channels of their way";
    case Ability::wake_when_planned:
      return "lets hosts announce what their program will send";
  }
  return "";
}

bool may_give(const Abilities& acts_by, const Order& order) {
  return std::visit(MayGive{acts_by}, order);
}

bool can_act(const Policy& policy, const Abilities& abilities) {
  const Abilities needed = policy.acts_by();
  return needed.empty() || std::any_of(needed.begin(), needed.end(),
                                       [&](Ability one) { return has(abilities, one); });
}

std::span<const PolicyWorld> worlds() {
  using enum Ability;
  const Abilities all = {set_rate, sleep, sleep_of_tiers, slow_when_idle, sleep_when_idle};
  Abilities simulated = all;
  simulated.insert(simulated.end(), {wake_when_announced, wake_when_planned});
  static const std::vector<PolicyWorld> kWorlds = {
      {.name = "simulator",
       .summary = "ebb sim, ebb sweep",
       .abilities = simulated,
       .tells_next_hops = true,
       .independent_channels = true},
      {.name = "testbed",
       .summary = "the Open vSwitches of ebb fabric up; the kernel's token buckets set rates",
       .abilities = all,
       .tells_next_hops = true},
      {.name = "openflow",
       .summary = "switches elsewhere, ports by OpenFlow, which sets no rates",
       .abilities = {sleep, sleep_of_tiers, sleep_when_idle},
       .tells_next_hops = true},
      {.name = "snmp",
       .summary = "switches elsewhere, ports by SNMP",
       .abilities = all,
       .tells_next_hops = true},
      {.name = "gnmi",
       .summary = "switches elsewhere, ports by gNMI",
       .abilities = all,
       .tells_next_hops = true},
  };
  return kWorlds;
}

const PolicyWorld& world_named(std::string_view name) {
  return *std::find_if(worlds().begin(), worlds().end(),
                       [&](const PolicyWorld& world) { return world.name == name; });
}

bool can_run(const Policy& policy, const PolicyWorld& world) {
  return can_act(policy, world.abilities) && (world.tells_next_hops || !policy.needs_next_hops()) &&
         (world.independent_channels || !policy.needs_independent_channels());
}

}  // namespace ebb::policy
