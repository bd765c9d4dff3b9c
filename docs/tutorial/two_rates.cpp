// SPDX-License-Identifier: Apache-2.0
//
// A channel runs at its full rate or at its slowest rate, and at no rate between them. It goes to
// its full rate when more than `queued` waits for it, and to its slowest rate when nothing waits
// and it was busy for less than `low` of the last period. In every other case it keeps its rate.
#include "building_blocks.hpp"
#include "policies.hpp"

#include <chrono>
#include <memory>
#include <vector>

namespace ebb::policy::two_rates {
namespace {

class TwoRates final : public Policy {
 public:
  explicit TwoRates(const Parameters& parameters)
      : period_(parameters.duration("period")),
        queued_(parameters.size("queued")),
        low_(parameters.ratio("low")) {}

  [[nodiscard]] Duration sample_period() const override { return period_; }
  [[nodiscard]] Abilities acts_by() const override { return {Ability::set_rate}; }

  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override {
    std::vector<Action> actions;
    for (const ChannelSample& channel : sample.channels) {
      const auto full = RateLevel(channel.rate_levels - 1);
      if (channel.queued > queued_) {
        hold_rate_level(channel, full, actions);
      } else if (channel.queued == DataSize{} && is_below(utilisation(channel), low_)) {
        hold_rate_level(channel, RateLevel{0}, actions);
      }
    }
    return actions;
  }

 private:
  Duration period_;
  DataSize queued_;
  Ratio low_;
};

std::unique_ptr<Policy> make(const Parameters& parameters) {
  return std::make_unique<TwoRates>(parameters);
}

}  // namespace

Entry entry() {
  using std::chrono::hours;
  using std::chrono::nanoseconds;
  return {.name = "two-rates",
          .summary = "full rate while a queue is long, slowest rate when little was sent",
          .parameters = {{"period", Range<Duration>{nanoseconds(1), hours(1)}, "2us",
                          "time between two decisions"},
                         {"queued", Range<DataSize>{bytes(1), bytes(1 << 27)}, "4KiB",
                          "a queue longer than this makes the channel fast"},
                         {"low", Range<Ratio>{Ratio{0, 1}, Ratio{1, 1}}, "30%",
                          "a utilisation below this makes the channel slow"}},
          .make = make};
}

}  // namespace ebb::policy::two_rates
