// SPDX-License-Identifier: Apache-2.0
//
// What channels must be able to do for a policy to change anything. A policy says by which
// abilities it acts; a world says which of them some channel has. A policy that finds none of its
// own would leave the network as always-on does, so a world refuses it before it starts:
//
//   if (!can_act(*policy, abilities_of_this_world)) report an error;
#pragma once

#include <cstdint>
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
};

using Abilities = std::vector<Ability>;

// What a policy that acts by it does: "changes the rates of channels".
[[nodiscard]] std::string_view to_text(Ability ability);

// A policy that acts by nothing, as always-on, can do that everywhere.
[[nodiscard]] bool can_act(const Policy& policy, const Abilities& world);

}  // namespace ebb::policy
