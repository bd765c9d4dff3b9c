// SPDX-License-Identifier: Apache-2.0
#include "two_rates.hpp"

#include "hold_step.hpp"
#include "utilisation.hpp"

#include <chrono>
#include <cstdint>
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

  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override {
    std::vector<Action> actions;
    for (const ChannelSample& channel : sample.channels) {
      const auto full = RateStep(channel.rate_table - 1);
      if (channel.queued > queued_) {
        hold_step(channel, full, actions);
      } else if (channel.queued == DataSize{} && is_below(utilisation(channel), low_)) {
        hold_step(channel, RateStep{0}, actions);
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
