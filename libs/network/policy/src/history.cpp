// SPDX-License-Identifier: Apache-2.0
#include "history.hpp"

#include "by_channel.hpp"
#include "rest.hpp"
#include "utilisation.hpp"

#include <chrono>
#include <memory>
#include <vector>

namespace ebb::policy::history {
namespace {

using std::chrono::nanoseconds;

class History final : public Policy {
 public:
  explicit History(const Parameters& parameters)
      : stay_(parameters.ratio("stay")),
        sleeps_(parameters.choice("rest") == "sleep"),
        period_(parameters.duration("period")) {}

  [[nodiscard]] Duration sample_period() const override { return period_; }

  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override {
    std::vector<Action> actions;
    for (const ChannelSample& channel : sample.channels) {
      Known& known = known_[channel.id];
      known.forecast = (3 * known.forecast + utilisation(channel)) / 4;
      const bool stays = is_above(known.forecast, stay_);
      if (channel.state.changing || (known.armed && stays == known.stays)) continue;
      const Rest rest{.sleeps = sleeps_, .idle = stays ? kLong : nanoseconds(1)};
      rest.arm(channel, actions);
      known.armed = true;
      known.stays = stays;
    }
    return actions;
  }

  void learn(const Outcome& outcome) override {
    if (outcome.reason == Reason::changing) known_[outcome.asked.channel].armed = false;
  }

 private:
  static constexpr Duration kLong = std::chrono::hours(1);
  struct Known {
    std::int64_t forecast = 0;  // of kAllBusy
    bool armed = false;
    bool stays = false;
  };

  Ratio stay_;
  bool sleeps_;
  Duration period_;
  ByChannel<Known> known_;
};

std::unique_ptr<Policy> make(const Parameters& parameters) {
  return std::make_unique<History>(parameters);
}

}  // namespace

Entry entry() {
  using std::chrono::hours;
  return {.name = "history",
          .summary = "channels that have been busy stay up, others rest as soon as they are idle",
          .parameters = {{"stay", Range<Ratio>{Ratio(1, 1000), Ratio(999, 1000)}, "50%",
                          "expected utilisation above which a channel stays up"},
                         {"rest", Choice{{"sleep", "slowest"}}, "sleep", "how a channel rests"},
                         {"period", Range<Duration>{nanoseconds(1), hours(1)}, "10us",
                          "time between two forecasts"}},
          .make = make};
}

}  // namespace ebb::policy::history
