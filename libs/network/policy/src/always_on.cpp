// SPDX-License-Identifier: Apache-2.0
//
// The baseline: every channel awake at its full rate. A channel found elsewhere is brought back, so
// a world may start in any state.
#include "building_blocks.hpp"
#include "policies.hpp"

#include <chrono>
#include <memory>

namespace ebb::policy::always_on {
namespace {

class AlwaysOn final : public Policy {
 public:
  explicit AlwaysOn(const Parameters& parameters) : period_(parameters.duration("period")) {}

  [[nodiscard]] Duration sample_period() const override { return period_; }
  [[nodiscard]] bool decides_once() const override { return true; }

  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override {
    std::vector<Action> actions;
    for (const ChannelSample& channel : sample.channels) {
      hold_rate_level(channel, RateLevel{static_cast<std::uint8_t>(channel.rate_levels - 1)},
                      actions);
    }
    return actions;
  }
  [[nodiscard]] std::unique_ptr<Policy> copy_for_part() const override {
    return std::make_unique<AlwaysOn>(*this);
  }

 private:
  Duration period_;
};

std::unique_ptr<Policy> make(const Parameters& parameters) {
  return std::make_unique<AlwaysOn>(parameters);
}

}  // namespace

Entry entry() {
  using std::chrono::hours;
  using std::chrono::nanoseconds;
  return {.name = "always-on",
          .summary = "every channel awake at its full rate: the baseline",
          .parameters = {{"period", Range<Duration>{nanoseconds(1), hours(1)}, "1ms",
                          "how often to look for a channel that left its full rate"}},
          .make = make};
}

}  // namespace ebb::policy::always_on
