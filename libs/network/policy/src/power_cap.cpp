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
// counts twice, so that permissions do not wander between equals. Where the two channels of a link
// have one rate they are paired: both have a permission or none, by the need of the needier one.
#include "building_blocks.hpp"
#include "policies.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace ebb::policy::power_cap {
namespace {

using std::chrono::nanoseconds;

class PowerCap final : public Policy {
 public:
  explicit PowerCap(const Parameters& parameters)
      : share_(parameters.ratio("share")),
        paired_(parameters.choice("channels") == "paired"),
        idle_(parameters.duration("idle")),
        period_(parameters.duration("period")) {}

  [[nodiscard]] Duration sample_period() const override { return period_; }
  // It slows what may not be fast, and lets a channel go back to full rate only by a trigger: in a
  // world without triggers everything would stay slow for ever.
  [[nodiscard]] Abilities acts_by() const override { return {Ability::slow_when_idle}; }

  [[nodiscard]] std::optional<Duration> shortest_idle() const override { return idle_; }
  // A link that runs at one rate both ways would double what a permission costs.
  [[nodiscard]] bool needs_independent_channels() const override { return !paired_; }

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
    for (const ChannelSample* channel : chosen) permit(sample, *channel, left, actions);
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
      if (need(sample, channel) > 0 && channel.rate_levels > 1) needy.push_back(&channel);
    }
    std::stable_sort(needy.begin(), needy.end(), [&](const auto* a, const auto* b) {
      return need(sample, *a) > need(sample, *b);
    });
    Power left = allowance(sample);
    const auto end = std::find_if(needy.begin(), needy.end(), [&](const ChannelSample* channel) {
      left -= channel->full - channel->slowest;
      return left < Power{};
    });
    needy.erase(end, needy.end());
    std::sort(needy.begin(), needy.end());
    // The cut may have gone through a pair.
    const auto is_alone = [&, all = needy](const ChannelSample* channel) {
      const ChannelSample* other = reverse_of(sample, *channel);
      return other != nullptr && !contains(all, *other);
    };
    std::erase_if(needy, is_alone);
    return needy;
  }
  // The other channel of a pair; none: it is not paired, or not in the sample.
  [[nodiscard]] const ChannelSample* reverse_of(const Sample& sample,
                                                const ChannelSample& channel) const {
    if (!paired_ || channel.reverse == channel.id) return nullptr;
    const auto at = find(sample, channel.reverse);
    return at ? &sample.channels[*at] : nullptr;
  }
  [[nodiscard]] Int128 need(const Sample& sample, const ChannelSample& channel) const {
    Int128 data = static_cast<Int128>(channel.queued.count()) + channel.sent.count();
    if (const ChannelSample* other = reverse_of(sample, channel))
      data = std::max(data, static_cast<Int128>(other->queued.count()) + other->sent.count());
    return is_permitted(channel) ? 2 * data : data;
  }

  void take_back(const ChannelSample& channel, std::vector<Action>& actions) {
    if (is_permitted(channel)) actions.push_back({channel.id, Disarm{}});
    permitted_[index(channel.id)] = false;
    if (is_slow(channel) || channel.state.changing) return;
    actions.push_back({channel.id, SetRateLevel{RateLevel{0}}});
  }

  // The first of a pair is permitted if there is room for both; the second follows it.
  void permit(const Sample& sample, const ChannelSample& channel, Power& left,
              std::vector<Action>& actions) {
    if (is_permitted(channel) || !is_slow(channel)) return;
    const Power more = channel.full - channel.slowest;
    const ChannelSample* other = reverse_of(sample, channel);
    if (other == nullptr || channel.id < other->id) {
      const Power both = other == nullptr ? more : more + other->full - other->slowest;
      if (both > left || (other != nullptr && !is_slow(*other))) return;
    } else if (!is_permitted(*other)) {
      return;
    }
    left -= more;
    permitted_[index(channel.id)] = true;
    LowPower{.sleeps = false, .idle = idle_}.arm(channel, actions);
  }

  Ratio share_;
  bool paired_;
  Duration idle_;
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
                         {"channels", Choice{{"independent", "paired"}}, "independent",
                          "permissions for channels, or for the two of a link together"},
                         {"idle", Range<Duration>{nanoseconds(1), hours(1)}, "1ns",
                          "idle time after which a channel that may be fast is slow again"},
                         {"period", Range<Duration>{nanoseconds(1), hours(1)}, "10us",
                          "time between two decisions"}},
          .make = make};
}

}  // namespace ebb::policy::power_cap
