// SPDX-License-Identifier: Apache-2.0
//
// Never above a share of full power. Every channel runs at its slowest rate level; what is left of
// the cap is handed out as permissions to run at full rate while something waits, to those that
// need it most. A permission that is taken back counts until the channel has slowed down, so that
// even all of them together cannot exceed the cap:
//
//   sum of slowest + sum of (full - slowest) over channels that are, may be or were fast <= cap
//
// Need is what a channel has waiting and what it sent in the last period; one that has a permission
// counts twice, so that permissions do not wander between equals.
#include "building_blocks.hpp"
#include "policies.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

namespace ebb::policy::power_cap {
namespace {

using std::chrono::nanoseconds;

class PowerCap final : public Policy {
 public:
  explicit PowerCap(const Parameters& parameters)
      : share_(parameters.ratio("share")), period_(parameters.duration("period")) {}

  [[nodiscard]] Duration sample_period() const override { return period_; }
  // It slows what may not be fast, and lets a channel go back to full rate only by a trigger: in a
  // world without triggers everything would stay slow for ever.
  [[nodiscard]] Abilities acts_by() const override { return {Ability::slow_when_idle}; }

  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override {
    if (!sample.channels.empty()) permitted_.resize(index(sample.channels.back().id) + 1);
    const std::vector<const ChannelSample*> chosen = choose(sample);
    std::vector<Action> actions;
    Power left = allowance(sample);
    for (const ChannelSample& channel : sample.channels) {
      const bool keeps = is_permitted(channel) && contains(chosen, channel);
      if (!keeps) take_back(channel, actions);
      if (is_permitted(channel) || !is_slow(channel)) left -= channel.full - channel.slowest;
    }
    for (const ChannelSample* channel : chosen) permit(*channel, left, actions);
    sort_by_channel(actions);
    return actions;
  }

 private:
  static bool is_slow(const ChannelSample& channel) {
    return index(channel.state.rate_level) == 0 && !channel.state.changing;
  }
  [[nodiscard]] bool is_permitted(const ChannelSample& channel) const {
    return permitted_[index(channel.id)];
  }
  static bool contains(const std::vector<const ChannelSample*>& chosen,
                       const ChannelSample& channel) {
    return std::binary_search(chosen.begin(), chosen.end(), &channel);
  }

  // What is left of the cap when all are at their slowest.
  [[nodiscard]] Power allowance(const Sample& sample) const {
    Power full;
    Power slowest;
    for (const ChannelSample& channel : sample.channels) {
      full += channel.full;
      slowest += channel.slowest;
    }
    return scale(full, share_) - slowest;
  }

  // Those that need it most, as many as the allowance has room for; in the order of the sample.
  [[nodiscard]] std::vector<const ChannelSample*> choose(const Sample& sample) const {
    std::vector<const ChannelSample*> needy;
    for (const ChannelSample& channel : sample.channels) {
      if (need(channel) > 0 && channel.rate_levels > 1) needy.push_back(&channel);
    }
    std::stable_sort(needy.begin(), needy.end(),
                     [this](const auto* a, const auto* b) { return need(*a) > need(*b); });
    Power left = allowance(sample);
    const auto end = std::find_if(needy.begin(), needy.end(), [&](const ChannelSample* channel) {
      left -= channel->full - channel->slowest;
      return left < Power{};
    });
    needy.erase(end, needy.end());
    std::sort(needy.begin(), needy.end());
    return needy;
  }
  [[nodiscard]] Int128 need(const ChannelSample& channel) const {
    const Int128 data = static_cast<Int128>(channel.queued.count()) + channel.sent.count();
    return is_permitted(channel) ? 2 * data : data;
  }

  void take_back(const ChannelSample& channel, std::vector<Action>& actions) {
    if (is_permitted(channel)) actions.push_back({channel.id, Disarm{}});
    permitted_[index(channel.id)] = false;
    if (is_slow(channel) || channel.state.changing) return;
    actions.push_back({channel.id, SetRateLevel{RateLevel{0}}});
  }

  void permit(const ChannelSample& channel, Power& left, std::vector<Action>& actions) {
    const Power more = channel.full - channel.slowest;
    if (is_permitted(channel) || !is_slow(channel) || more > left) return;
    left -= more;
    permitted_[index(channel.id)] = true;
    LowPower{.sleeps = false, .idle = nanoseconds(1)}.arm(channel, actions);
  }

  Ratio share_;
  Duration period_;
  std::vector<bool> permitted_;  // by channel
};

std::unique_ptr<Policy> make(const Parameters& parameters) {
  return std::make_unique<PowerCap>(parameters);
}

}  // namespace

Entry entry() {
  using std::chrono::hours;
  return {.name = "power-cap",
          .summary = "never above a share of full power; full rate where it is needed most",
          .parameters = {{"share", Range<Ratio>{Ratio(1, 1000), Ratio(1, 1)}, "50%",
                          "of the power of all channels at full rate"},
                         {"period", Range<Duration>{nanoseconds(1), hours(1)}, "10us",
                          "time between two decisions"}},
          .make = make};
}

}  // namespace ebb::policy::power_cap
