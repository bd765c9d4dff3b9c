// SPDX-License-Identifier: Apache-2.0
#include "epoch.hpp"

#include <algorithm>
#include <chrono>

namespace ebb::policy::epoch {
namespace {

bool can_change(const ChannelSample& channel) {
  return channel.state.mode == Mode::active && !channel.state.changing;
}

// A step that may lie beyond the ladder.
int wish(const ChannelSample& channel, Ratio target) {
  const Int128 used = static_cast<Int128>(channel.busy.count()) * target.den();
  const Int128 wanted = static_cast<Int128>(channel.window.count()) * target.num();
  return index(channel.state.step) + (used > wanted ? 1 : 0) - (used < wanted ? 1 : 0);
}

class Epoch final : public Policy {
 public:
  explicit Epoch(const Parameters& parameters)
      : target_(parameters.ratio("target")),
        epoch_(parameters.duration("epoch")),
        paired_(parameters.choice("channels") == "paired") {}

  [[nodiscard]] Duration sample_period() const override { return epoch_; }

  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override {
    std::vector<Action> actions;
    for (const ChannelSample& channel : sample.channels) {
      const auto step = step_for(sample, channel);
      if (step && *step != channel.state.step) actions.push_back({channel.id, SetStep{*step}});
    }
    return actions;
  }

 private:
  // Nothing when the channel is to be left alone.
  [[nodiscard]] std::optional<RateStep> step_for(const Sample& sample,
                                                 const ChannelSample& channel) const {
    if (!can_change(channel)) return std::nullopt;
    int step = wish(channel, target_);
    if (paired_ && channel.reverse != channel.id) {
      const auto partner = find(sample, channel.reverse);
      if (!partner || !can_change(sample.channels[*partner])) return std::nullopt;
      step = std::max(step, wish(sample.channels[*partner], target_));
    }
    return RateStep{static_cast<std::uint8_t>(std::clamp(step, 0, channel.ladder - 1))};
  }

  Ratio target_;
  Duration epoch_;
  bool paired_;
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
                          "both directions of a link at one rate, or each at its own"}},
          .make = make};
}

}  // namespace ebb::policy::epoch
