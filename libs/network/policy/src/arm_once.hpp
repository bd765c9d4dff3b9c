// SPDX-License-Identifier: Apache-2.0
//
// Policies that arm every channel once and leave the rest to its triggers. A channel that was
// changing is tried again with the next sample.
#pragma once

#include "ebb/policy/policy.hpp"

#include <unordered_set>
#include <vector>

namespace ebb::policy {

class ArmOnce : public Policy {
 public:
  // How often to look for channels that are not armed yet.
  explicit ArmOnce(Duration period) : period_(period) {}

  [[nodiscard]] Duration sample_period() const final { return period_; }

  [[nodiscard]] std::vector<Action> decide(const Sample& sample) final {
    std::vector<Action> actions;
    for (const ChannelSample& channel : sample.channels) {
      if (!channel.state.changing && armed_.insert(channel.id).second) arm(channel, actions);
    }
    return actions;
  }

  void learn(const Outcome& outcome) final {
    if (outcome.reason == Reason::changing) armed_.erase(outcome.asked.channel);
  }

 private:
  // Adds what arms the channel.
  virtual void arm(const ChannelSample& channel, std::vector<Action>& actions) const = 0;

  Duration period_;
  std::unordered_set<ChannelId> armed_;  // never iterated: its order reaches nothing
};

}  // namespace ebb::policy
