// SPDX-License-Identifier: Apache-2.0
//
// Dynamic topology: the channels of the higher tiers (routing.hpp) sleep until the rest of the
// network is busy. Section 5.2 of "Energy Proportional Datacenter Networks": a flattened butterfly
// becomes a mesh or a torus, and "additional links ... are dynamically powered on as traffic
// intensity (offered load) increases". The whole network is in one stage, as in "SLaC: Stage Laser
// Control for a Flattened Butterfly Network" (HPCA 2016): in stage s tiers 0 to s are up.
//
//   mean utilisation of channels between switches that are up > high   the last stage, at once
//                                                             < low    a stage lower
//
// A packet that has no other next hop wakes a sleeping channel, which goes back to sleep with the
// next decision.
#include "building_blocks.hpp"
#include "policies.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

namespace ebb::policy::stages {
namespace {

class Stages final : public Policy {
 public:
  explicit Stages(const Parameters& parameters)
      : marks_(parameters), period_(parameters.duration("period")) {}

  [[nodiscard]] Duration sample_period() const override { return period_; }
  [[nodiscard]] Abilities acts_by() const override { return {Ability::sleep_of_tiers}; }

  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override {
    stage_ = next_stage(sample);
    std::vector<Action> actions;
    for (const ChannelSample& channel : sample.channels) {
      if (channel.tier == 0 || channel.state.changing) continue;
      wake_on_need_.arm(channel, actions);
      const bool wanted = channel.tier <= stage_;
      const bool asleep = channel.state.mode == Mode::asleep;
      if (wanted && asleep) actions.push_back({channel.id, Wake{}});
      if (!wanted && !asleep) actions.push_back({channel.id, Sleep{}});
    }
    return actions;
  }

 private:
  [[nodiscard]] int next_stage(const Sample& sample) const {
    Use use;
    int last = 0;
    for (const ChannelSample& channel : sample.channels) {
      last = std::max<int>(last, channel.tier);
      if (channel.tier <= stage_ && joins_switches(sample, channel)) use.add(channel);
    }
    if (marks_.above(use)) return last;
    const int stage = std::min(stage_, last);
    return marks_.below(use) ? std::max(stage - 1, 0) : stage;
  }

  Watermarks marks_;
  Duration period_;
  int stage_ = 255;  // at first the last there is
  WakeOnNeed wake_on_need_;
};

std::unique_ptr<Policy> make(const Parameters& parameters) {
  return std::make_unique<Stages>(parameters);
}

}  // namespace

Entry entry() {
  return {.name = "stages",
          .summary = "higher tiers of links sleep until the rest of the network is busy",
          .parameters = watermark_parameters("40%", "10%", "100us"),
          .make = make};
}

}  // namespace ebb::policy::stages
