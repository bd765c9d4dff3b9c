// SPDX-License-Identifier: Apache-2.0
//
// What fixed policies share: the actions that bring a channel to one step and keep it there.
#pragma once

#include "ebb/policy/action.hpp"
#include "ebb/policy/sample.hpp"

#include <vector>

namespace ebb::policy {

// Sets the step, then wakes; nothing for a channel that is changing or already there. The step is
// set first so that a sleeping channel wakes into it and changes once.
inline void hold_step(const ChannelSample& channel, RateStep step, std::vector<Action>& actions) {
  if (channel.state.changing) return;
  if (channel.state.step != step) actions.push_back({channel.id, SetStep{step}});
  if (channel.state.mode == Mode::asleep) actions.push_back({channel.id, Wake{}});
}

}  // namespace ebb::policy
