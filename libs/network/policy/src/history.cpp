// SPDX-License-Identifier: Apache-2.0
//
// Prediction from the recent past: a channel that has been busy is expected to be so again soon and
// stays up; others sleep as soon as they are idle. The forecast is the moving average
//
//   forecast' = (3 * forecast + utilisation of the last period) / 4
#include "building_blocks.hpp"
#include "policies.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace ebb::policy::history {
namespace {

using std::chrono::nanoseconds;

class History final : public Policy {
 public:
  explicit History(const Parameters& parameters)
      : stay_(parameters.ratio("stay")),
        idle_(parameters.duration("idle")),
        sleeps_(parameters.choice("low_power_state") == "sleep"),
        period_(parameters.duration("period")) {}

  [[nodiscard]] Duration sample_period() const override { return period_; }
  [[nodiscard]] Abilities acts_by() const override { return LowPower{.sleeps = sleeps_}.acts_by(); }
  [[nodiscard]] std::optional<Duration> shortest_idle() const override { return idle_; }

  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override {
    std::vector<Action> actions;
    for (const ChannelSample& channel : sample.channels) {
      Known& known = known_[channel.id];
      known.forecast = (3 * known.forecast + utilisation(channel)) / 4;
      const bool stays = is_above(known.forecast, stay_);
      if (channel.state.changing || (known.armed && stays == known.stays)) continue;
      const LowPower low_power{.sleeps = sleeps_, .idle = stays ? kLong : idle_};
      low_power.arm(channel, actions);
      known.armed = true;
      known.stays = stays;
    }
    return actions;
  }

  void on_outcome(const Outcome& outcome) override {
    if (outcome.reason == Reason::changing) known_[outcome.asked.channel].armed = false;
  }

  [[nodiscard]] std::unique_ptr<Policy> copy_for_part() const override {
    return std::make_unique<History>(*this);
  }

 private:
  static constexpr Duration kLong = std::chrono::hours(1);
  struct Known {
    std::int64_t forecast = 0;  // of kAllBusy
    bool armed = false;
    bool stays = false;
  };

  Ratio stay_;
  Duration idle_;
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
  return {
      .name = "history",
      .summary = "channels that have been busy stay up, others save power as soon as they are idle",
      .parameters = {{"stay", Range<Ratio>{Ratio(1, 1000), Ratio(999, 1000)}, "50%",
                      "expected utilisation above which a channel stays up"},
                     {"idle", Range<Duration>{nanoseconds(1), hours(1)}, "1ns",
                      "idle time after which one that does not stay up goes there"},
                     {"low_power_state", Choice{{"sleep", "slowest"}}, "sleep",
                      "what an idle channel goes to"},
                     {"period", Range<Duration>{nanoseconds(1), hours(1)}, "10us",
                      "time between two forecasts"}},
      .make = make};
}

}  // namespace ebb::policy::history
