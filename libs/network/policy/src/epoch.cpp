// SPDX-License-Identifier: Apache-2.0
//
// The heuristic of "Energy Proportional Datacenter Networks" (Abts et al., ISCA 2010), Section 3.3:
// at the end of each epoch, "if the actual utilization is less than the target, we detune the speed
// of the link to half the current rate, down to the minimum. If the utilization exceeds the target,
// then the link rate is doubled up to the maximum." Half and double are one rate level.
//
//   busy * den < num * window   one level slower      target = num / den, products in 128 bits
//   busy * den > num * window   one level faster
//   equal                       stay: neither "less than" nor "exceeds"
//
// Paired: both directions of a link get the faster of their two wishes, because "the link pair must
// be reconfigured together to match the requirements of the channel with the highest load" (3.3.1).
// A link of which one direction is changing, asleep or not sampled is left alone. Independent: each
// direction by itself.
//
// Variants of "Energy proportional datacenter networks" as patented, and of Section 5.1: moves to
// the ends of the rate table, "without going through the intermediate steps"; the population count
// of a bit array, one bit for each part of the epoch, instead of exact busy time; "per-link epochs
// with staggered end times to ensure alternative paths".
#include "building_blocks.hpp"
#include "policies.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

namespace ebb::policy::epoch {
namespace {

bool can_change(const ChannelSample& channel) {
  return channel.state.mode == Mode::active && !channel.state.changing;
}

// Of one channel since it last decided.
struct Use {
  Duration busy{};
  Duration window{};
};

class Epoch final : public Policy {
 public:
  explicit Epoch(const Parameters& parameters)
      : target_(parameters.ratio("target")),
        epoch_(parameters.duration("epoch")),
        paired_(parameters.choice("channels") == "paired"),
        to_the_ends_(parameters.choice("moves") == "ends"),
        bits_(parameters.integer("bits")),
        groups_(parameters.integer("stagger")),
        parts_(std::clamp<std::int64_t>(std::max(bits_, groups_), 1, epoch_.count())) {}

  [[nodiscard]] Duration sample_period() const override { return epoch_ / parts_; }
  [[nodiscard]] Abilities acts_by() const override { return {Ability::set_rate}; }

  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override {
    std::vector<Action> actions;
    for (const ChannelSample& channel : sample.channels) count(channel);
    for (const ChannelSample& channel : sample.channels) {
      if (!is_due(channel)) continue;
      const auto level = level_for(sample, channel);
      if (level && *level != channel.state.rate_level)
        actions.push_back({channel.id, SetRateLevel{*level}});
    }
    for (const ChannelSample& channel : sample.channels) {
      if (is_due(channel)) use(channel) = {};
    }
    part_ = (part_ + 1) % parts_;
    return actions;
  }

  [[nodiscard]] std::unique_ptr<Policy> copy_for_part() const override {
    return std::make_unique<Epoch>(*this);
  }

 private:
  // With a bit array, a part of the epoch in which anything was sent counts as busy.
  void count(const ChannelSample& channel) {
    const bool whole = bits_ > 0 && channel.busy > Duration{};
    use(channel).busy += whole ? channel.window : channel.busy;
    use(channel).window += channel.window;
  }
  [[nodiscard]] Use& use(const ChannelSample& channel) { return uses_[channel.id]; }

  // Both directions of a link belong to one group.
  [[nodiscard]] bool is_due(const ChannelSample& channel) const {
    const std::int64_t group = std::min(index(channel.id), index(channel.reverse)) / 2 % groups_;
    return group * parts_ / groups_ == part_;
  }

  // A level that may lie beyond the rate table.
  [[nodiscard]] int wish(const ChannelSample& channel) {
    const Int128 used = static_cast<Int128>(use(channel).busy.count()) * target_.den();
    const Int128 wanted = static_cast<Int128>(use(channel).window.count()) * target_.num();
    const int stride = to_the_ends_ ? channel.rate_levels : 1;
    return index(channel.state.rate_level) + (used > wanted ? stride : 0) -
           (used < wanted ? stride : 0);
  }

  // Nothing when the channel is to be left alone.
  [[nodiscard]] std::optional<RateLevel> level_for(const Sample& sample,
                                                   const ChannelSample& channel) {
    if (!can_change(channel)) return std::nullopt;
    int level = wish(channel);
    if (paired_ && channel.reverse != channel.id) {
      const auto partner = find(sample, channel.reverse);
      if (!partner || !can_change(sample.channels[*partner])) return std::nullopt;
      level = std::max(level, wish(sample.channels[*partner]));
    }
    return RateLevel{static_cast<std::uint8_t>(std::clamp(level, 0, channel.rate_levels - 1))};
  }

  Ratio target_;
  Duration epoch_;
  bool paired_;
  bool to_the_ends_;
  std::int64_t bits_;    // of the array; 0: busy time is exact
  std::int64_t groups_;  // of links that decide at the same time
  std::int64_t parts_;   // of an epoch, between which the policy looks
  std::int64_t part_ = 0;
  ByChannel<Use> uses_;
};

std::unique_ptr<Policy> make(const Parameters& parameters) {
  return std::make_unique<Epoch>(parameters);
}

}  // namespace

Entry entry() {
  using std::chrono::hours;
  using std::chrono::nanoseconds;
  return {.name = "epoch",
          .summary = "half or double the rate by last epoch's utilisation (ISCA 2010)",
          .parameters = {{"target", Range<Ratio>{Ratio(1, 1000), Ratio(999, 1000)}, "50%",
                          "utilisation above which a channel speeds up and below which it slows"},
                         {"epoch", Range<Duration>{nanoseconds(1), hours(1)}, "10us",
                          "time between two decisions; ten times the time of a rate change bounds "
                          "the overhead to 10%"},
                         {"channels", Choice{{"paired", "independent"}}, "paired",
                          "both directions of a link at one rate, or each at its own"},
                         {"moves", Choice{{"step", "ends"}}, "step",
                          "one step, or at once to the slowest or the full rate"},
                         {"bits", Range<std::int64_t>{0, 1024}, "0",
                          "of the array that records in which parts of an epoch something was "
                          "sent; 0: busy time is exact"},
                         {"stagger", Range<std::int64_t>{1, 64}, "1",
                          "groups of links, the epochs of which end one after the other"}},
          .make = make};
}

}  // namespace ebb::policy::epoch
