// SPDX-License-Identifier: Apache-2.0
//
// Each switch keeps as few of its dispensable channels open as its traffic needs, after the public
// abstract of "TCEP: Traffic Consolidation for Energy-Proportional High-Radix Networks" (ISCA
// 2018): a root network stays up (tier 0), traffic is consolidated on few links by detours, and a
// switch opens or closes one link at a time.
//
//   some open channel between switches is used more than `high`   open the first that is closed
//   none is, and the least used one of tiers > 0 less than `low`  close that one
//
// A packet that has no other next hop wakes a closed channel, as in stages.cpp.
#include "building_blocks.hpp"
#include "policies.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <vector>

namespace ebb::policy::consolidate {
namespace {

Use use_of(const ChannelSample& channel) {
  Use use;
  use.add(channel);
  return use;
}

// What a switch sees of its channels.
struct Device {
  bool crowded = false;                         // one that is open is
  const ChannelSample* least_used = nullptr;    // open, of a tier above 0
  const ChannelSample* first_closed = nullptr;  // of a tier above 0
};

class Consolidate final : public Policy {
 public:
  explicit Consolidate(const Parameters& parameters)
      : marks_(parameters), period_(parameters.duration("period")) {}

  [[nodiscard]] Duration sample_period() const override { return period_; }
  [[nodiscard]] Abilities acts_by() const override { return {Ability::sleep_of_tiers}; }

  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override {
    std::map<std::uint32_t, Device> devices;
    std::vector<Action> actions;
    for (const ChannelSample& channel : sample.channels) {
      if (channel.state.changing || !joins_switches(sample, channel)) continue;
      look(channel, devices[channel.device]);
      if (channel.tier > 0) wake_on_need_.arm(channel, actions);
    }
    for (const auto& [number, device] : devices) act(device, actions);
    sort_by_channel(actions);
    return actions;
  }

 private:
  void look(const ChannelSample& channel, Device& device) const {
    if (channel.state.mode == Mode::asleep) {
      if (device.first_closed == nullptr) device.first_closed = &channel;
      return;
    }
    device.crowded = device.crowded || marks_.above(use_of(channel));
    if (channel.tier == 0) return;
    if (device.least_used == nullptr || channel.busy < device.least_used->busy) {
      device.least_used = &channel;
    }
  }

  void act(const Device& device, std::vector<Action>& actions) const {
    if (device.crowded) {
      if (device.first_closed != nullptr) actions.push_back({device.first_closed->id, Wake{}});
    } else if (device.least_used != nullptr && marks_.below(use_of(*device.least_used))) {
      actions.push_back({device.least_used->id, Sleep{}});
    }
  }

  Watermarks marks_;
  Duration period_;
  WakeOnNeed wake_on_need_;
};

std::unique_ptr<Policy> make(const Parameters& parameters) {
  return std::make_unique<Consolidate>(parameters);
}

}  // namespace

Entry entry() {
  return {.name = "consolidate",
          .summary = "each switch keeps few channels open and sends by detours (after TCEP)",
          .parameters = watermark_parameters("75%", "25%", "10us"),
          .make = make};
}

}  // namespace ebb::policy::consolidate
