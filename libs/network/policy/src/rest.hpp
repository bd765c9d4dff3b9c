// SPDX-License-Identifier: Apache-2.0
//
// When a channel rests and gets up by itself, and the triggers that say so.
#pragma once

#include "ebb/policy/action.hpp"
#include "ebb/policy/sample.hpp"

#include <vector>

namespace ebb::policy {

struct Rest {
  bool sleeps = true;  // or slows down to the first step
  Duration idle{};     // after which it rests
  DataSize queued = bytes(1);
  Duration patience{};  // of what waits, when it sleeps

  // Adds what arms the channel; nothing where there is but one step to rest at.
  void arm(const ChannelSample& channel, std::vector<Action>& actions) const {
    if (sleeps) {
      actions.push_back({channel.id, SleepWhenIdle{idle, queued, patience}});
    } else if (channel.ladder > 1) {
      const RateStep full{static_cast<std::uint8_t>(channel.ladder - 1)};
      actions.push_back({channel.id, JumpWhenQueued{.queued = queued, .step = full}});
      actions.push_back({channel.id, StepWhenIdle{.idle = idle, .step = RateStep{0}}});
    }
  }
};

}  // namespace ebb::policy
