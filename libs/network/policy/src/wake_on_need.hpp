// SPDX-License-Identifier: Apache-2.0
//
// Arms each channel that a policy may put to sleep once, so that a packet without another way wakes
// it.
#pragma once

#include "by_channel.hpp"

#include "ebb/policy/sample.hpp"

#include <variant>
#include <vector>

namespace ebb::policy {

class WakeOnNeed {
 public:
  void arm(const ChannelSample& channel, std::vector<Action>& actions) {
    if (armed_[channel.id].yes) return;
    armed_[channel.id].yes = true;
    actions.push_back({channel.id, WakeWhenQueued{bytes(1)}});
  }

  // A channel that was changing is tried again.
  void learn(const Outcome& outcome) {
    if (outcome.reason == Reason::changing &&
        std::holds_alternative<WakeWhenQueued>(outcome.asked.order))
      armed_[outcome.asked.channel].yes = false;
  }

 private:
  struct Armed {
    bool yes = false;
  };
  ByChannel<Armed> armed_;
};

}  // namespace ebb::policy
