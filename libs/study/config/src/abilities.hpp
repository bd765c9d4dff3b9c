// SPDX-License-Identifier: Apache-2.0
//
// What the channels of a simulated network can do for a policy, and for a policy that can change
// nothing there the error that says why, and what would work instead.
//
//   ability           some channel has it when
//   set_rate          links have several rates
//   slow_when_idle    the same
//   sleep_when_idle   the rate table has a sleep state
//   sleep             the same, and some destination has several next hops
//   sleep_of_tiers    the same, and the routing has channels of a tier above 0
//
//   // after everything else has been made:
//   maker.add(validate_policy(made, library), "policy");
#pragma once

#include "ebb/config/simulation.hpp"
#include "ebb/core/result.hpp"
#include "ebb/policy/ability.hpp"
#include "ebb/power/library.hpp"

namespace ebb::config {

// Of a simulation whose graph, routing, channel models, policy and next-hop sets have been made.
[[nodiscard]] policy::Abilities abilities_of(const Simulation& made);

// Empty when the policy can act, or is one that saves nothing by itself.
[[nodiscard]] Errors validate_policy(const Simulation& made, const power::Library& library);

}  // namespace ebb::config
