// SPDX-License-Identifier: Apache-2.0
//
// Dynamic link shutdown: each device looks at its forwarding table and closes the channels that it
// does not need to reach every destination, unless they are in use. Section 3.3.2 of "A
// Holistic Approach to Designing Energy-Efficient Cluster Interconnects" (Kim et al., 2005);
// shutdown_decision.hpp is the decision. It needs a routing with several outputs for a destination,
// such as up-down-ways.
//
// Devices decide by themselves: what stays open at one never depends on another, because a row of
// the table that keeps an output keeps a way to the destination whatever others do.
//
// A channel that is to be closed stays up until each row that names it has another one that is up
// and stays; what the device still needs is woken first. A packet that has no other way wakes a
// channel, which the next decision may close again. The first sample, with its window of no length,
// only arms these triggers. A device of which a channel is not in the sample is left alone.
#pragma once

#include "by_channel.hpp"
#include "shutdown_decision.hpp"
#include "wake_on_need.hpp"

#include "ebb/policy/registry.hpp"

#include <optional>
#include <vector>

namespace ebb::policy::shutdown {

class Shutdown final : public Policy {
 public:
  explicit Shutdown(const Parameters& parameters);

  [[nodiscard]] Duration sample_period() const override { return window_; }
  [[nodiscard]] bool wants_ways() const override { return true; }
  void study(std::span<const Way> ways) override;
  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override;
  void learn(const Outcome& outcome) override { wake_on_need_.learn(outcome); }

 private:
  using Channels = std::vector<const ChannelSample*>;  // by place in a decision's channels()

  void decide_for(const ShutdownDecision& device, const Channels& channels,
                  std::vector<Action>& actions);
  void open_or_close(const ChannelSample& channel, bool open, std::vector<Action>& actions);

  ShutdownLimits limits_;
  Duration window_;
  std::vector<ShutdownDecision> devices_;
  WakeOnNeed wake_on_need_;
  struct Asked {
    bool to_close = false;
  };
  ByChannel<Asked> asked_;  // a channel can be drained for a while and still be active
};

// Without the window, which is that of dvs.
[[nodiscard]] std::vector<Parameter> parameters();

[[nodiscard]] Entry entry();

}  // namespace ebb::policy::shutdown
