// SPDX-License-Identifier: Apache-2.0
//
// What channels must be able to do for a policy to change anything. A policy says by which
// abilities it acts; a world says which of them its channels have. A policy that finds none of its
// own would leave the network as always-on does, so a world refuses it before it starts:
//
//   if (!can_act(*policy, abilities_of_this_network)) report an error;
//
// The table policy by world, which `ebb list policies` prints, follows from both:
//
//   for (const PolicyWorld& world : worlds()) print(can_run(*policy, world));
#pragma once

#include "ebb/policy/action.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::policy {

class Policy;

enum class Ability : std::uint8_t {
  set_rate,         // runs at another rate when told to (SetRateLevel)
  sleep,            // sleeps when told to, and packets have another next hop (Sleep)
  sleep_of_tiers,   // the same of a channel of a tier above 0 (Routing::tier)
  slow_when_idle,   // changes its rate by itself (SlowDownWhenIdle, SpeedUpWhenQueued)
  sleep_when_idle,  // falls asleep and wakes by itself (SleepWhenIdle)
  // The same, and hosts announce their messages to the channels of their way (WakeWhenAnnounced).
  wake_when_announced,
  wake_when_planned,  // and hosts know from a program what they will send
};

using Abilities = std::vector<Ability>;

// What a policy that acts by it does: "changes the rates of channels".
[[nodiscard]] std::string_view to_text(Ability ability);

// Whether a policy may give such an order when it acts by these abilities. Waking, disarming and
// setting a rate bring a channel back to full power: every policy may, and where channels cannot
// leave full power none does. A sleeping channel on which something may wait can be told to wake by
// itself (WakeWhenQueued).
[[nodiscard]] bool may_give(const Abilities& acts_by, const Order& order);

// A policy that acts by nothing, as always-on, can do that everywhere.
[[nodiscard]] bool can_act(const Policy& policy, const Abilities& abilities);

// Where a policy can run: the simulator, or live switches with a driver for their ports.
struct PolicyWorld {
  std::string name;     // also the value of `ebb fabric run --ports`, but for the first two
  std::string summary;  // a line of help
  Abilities abilities;  // that its channels have where the parts and the network allow it
  bool tells_next_hops = false;
  bool independent_channels = false;  // the two of a link have rates and states of their own
};

// In the order of the columns of the table: the simulator, then live ones.
[[nodiscard]] std::span<const PolicyWorld> worlds();
// The name is one of worlds().
[[nodiscard]] const PolicyWorld& world_named(std::string_view name);

// It can act by some ability of the world, and is told what it needs to know there.
[[nodiscard]] bool can_run(const Policy& policy, const PolicyWorld& world);

}  // namespace ebb::policy
