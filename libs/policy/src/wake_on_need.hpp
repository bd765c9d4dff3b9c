// SPDX-License-Identifier: Apache-2.0
//
// Arms each channel of a higher tier once, so that a packet without another way wakes it.
#pragma once

#include "by_channel.hpp"

#include "ebb/policy/sample.hpp"

#include <vector>

namespace ebb::policy {

class WakeOnNeed {
 public:
  void arm(const ChannelSample& channel, std::vector<Action>& actions) {
    if (channel.tier == 0 || armed_[channel.id].yes) return;
    armed_[channel.id].yes = true;
    actions.push_back({channel.id, WakeWhenQueued{bytes(1)}});
  }

 private:
  struct Armed {
    bool yes = false;
  };
  ByChannel<Armed> armed_;
};

}  // namespace ebb::policy
