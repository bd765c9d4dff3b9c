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
// Where links sleep as a whole, both switches of a link would have to choose the same one. With
// `channels` = paired one of them is enough, as the other one is asked and agrees in the paper: the
// use of a link is that of its busier channel, and no link is closed whose other end is crowded.
//
// A packet that has no other next hop wakes a closed channel, as in stages.cpp.
#include "building_blocks.hpp"
#include "policies.hpp"

#include <algorithm>
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

// What a switch sees of its channels. Of a pair the busier one counts.
struct Device {
  bool crowded = false;                         // one that is open is
  const ChannelSample* least_used = nullptr;    // open, of a tier above 0
  const ChannelSample* busier = nullptr;        // of the pair of `least_used`
  const ChannelSample* first_closed = nullptr;  // of a tier above 0
};

class Consolidate final : public Policy {
 public:
  explicit Consolidate(const Parameters& parameters)
      : marks_(parameters),
        paired_(parameters.choice("channels") == "paired"),
        period_(parameters.duration("period")) {}

  [[nodiscard]] Duration sample_period() const override { return period_; }
  [[nodiscard]] Abilities acts_by() const override { return {Ability::sleep_of_tiers}; }

  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override {
    std::map<std::uint32_t, Device> devices;
    std::vector<Action> actions;
    for (const ChannelSample& channel : sample.channels) {
      if (channel.state.changing || !joins_switches(sample, channel)) continue;
      look(sample, channel, devices[channel.device]);
      if (channel.tier > 0) wake_on_need_.arm(channel, actions);
    }
    for (const auto& [number, device] : devices) act(sample, device, devices, actions);
    sort_by_channel(actions);
    // Both ends may have chosen a link.
    actions.erase(std::unique(actions.begin(), actions.end()), actions.end());
    return actions;
  }

 private:
  // The other channel of a pair; none: it is not paired, or not in the sample.
  [[nodiscard]] const ChannelSample* reverse_of(const Sample& sample,
                                                const ChannelSample& channel) const {
    if (!paired_ || channel.reverse == channel.id) return nullptr;
    const auto at = find(sample, channel.reverse);
    return at ? &sample.channels[*at] : nullptr;
  }

  void look(const Sample& sample, const ChannelSample& channel, Device& device) const {
    if (channel.state.mode == Mode::asleep) {
      if (device.first_closed == nullptr) device.first_closed = &channel;
      return;
    }
    const ChannelSample* other = reverse_of(sample, channel);
    const ChannelSample& busier = other != nullptr && other->busy > channel.busy ? *other : channel;
    device.crowded = device.crowded || marks_.above(use_of(busier));
    if (channel.tier == 0) return;
    if (device.least_used == nullptr || busier.busy < device.busier->busy) {
      device.least_used = &channel;
      device.busier = &busier;
    }
  }

  void act(const Sample& sample, const Device& device,
           const std::map<std::uint32_t, Device>& devices, std::vector<Action>& actions) const {
    if (device.crowded) {
      if (device.first_closed != nullptr) ask(sample, *device.first_closed, Wake{}, actions);
    } else if (device.least_used != nullptr && marks_.below(use_of(*device.busier)) &&
               !is_crowded_beyond(sample, *device.least_used, devices)) {
      ask(sample, *device.least_used, Sleep{}, actions);
    }
  }

  [[nodiscard]] bool is_crowded_beyond(const Sample& sample, const ChannelSample& channel,
                                       const std::map<std::uint32_t, Device>& devices) const {
    const ChannelSample* other = reverse_of(sample, channel);
    if (other == nullptr) return false;
    const auto beyond = devices.find(other->device);
    return beyond != devices.end() && beyond->second.crowded;
  }

  // Both channels of a pair.
  void ask(const Sample& sample, const ChannelSample& channel, const Order& order,
           std::vector<Action>& actions) const {
    actions.push_back({channel.id, order});
    const ChannelSample* other = reverse_of(sample, channel);
    if (other != nullptr && !other->state.changing) actions.push_back({other->id, order});
  }

  Watermarks marks_;
  bool paired_;
  Duration period_;
  WakeOnNeed wake_on_need_;
};

std::unique_ptr<Policy> make(const Parameters& parameters) {
  return std::make_unique<Consolidate>(parameters);
}

std::vector<Parameter> parameters() {
  std::vector<Parameter> all = watermark_parameters("75%", "25%", "10us");
  all.push_back({"channels", Choice{{"independent", "paired"}}, "independent",
                 "decides about channels, or about the two of a link together"});
  return all;
}

}  // namespace

Entry entry() {
  return {.name = "consolidate",
          .summary = "each switch keeps few channels open and sends by detours (after TCEP)",
          .parameters = parameters(),
          .make = make};
}

}  // namespace ebb::policy::consolidate
