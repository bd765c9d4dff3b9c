// SPDX-License-Identifier: Apache-2.0
//
// The lower bound of rate control: every channel awake at its slowest rate, whatever the traffic.
// No policy that keeps channels awake draws less, and none should be slower.
#include "building_blocks.hpp"
#include "policies.hpp"

#include <chrono>
#include <memory>

namespace ebb::policy::always_slowest {
namespace {

class AlwaysSlowest final : public Policy {
 public:
  explicit AlwaysSlowest(const Parameters& parameters) : period_(parameters.duration("period")) {}

  [[nodiscard]] Duration sample_period() const override { return period_; }
  [[nodiscard]] bool decides_once() const override { return true; }
  [[nodiscard]] Abilities acts_by() const override { return {Ability::set_rate}; }

  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override {
    std::vector<Action> actions;
    for (const ChannelSample& channel : sample.channels)
      hold_rate_level(channel, RateLevel{0}, actions);
    return actions;
  }
  [[nodiscard]] std::unique_ptr<Policy> copy_for_part() const override {
    return std::make_unique<AlwaysSlowest>(*this);
  }

 private:
  Duration period_;
};

std::unique_ptr<Policy> make(const Parameters& parameters) {
  return std::make_unique<AlwaysSlowest>(parameters);
}

}  // namespace

Entry entry() {
  using std::chrono::hours;
  using std::chrono::nanoseconds;
  return {.name = "always-slowest",
          .summary = "every channel awake at its slowest rate: the lower bound of rate control",
          .parameters = {{"period", Range<Duration>{nanoseconds(1), hours(1)}, "1ms",
                          "how often to look for a channel that left its slowest rate"}},
          .make = make};
}

}  // namespace ebb::policy::always_slowest
