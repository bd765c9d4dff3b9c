// SPDX-License-Identifier: Apache-2.0
#include "building_blocks.hpp"
#include "policies.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace ebb::policy::on_demand {
namespace {

class OnDemand final : public ArmOnce {
 public:
  explicit OnDemand(const Parameters& parameters)
      : ArmOnce(parameters.duration("period")),
        low_power_{.sleeps = parameters.choice("low_power_state") == "sleep",
                   .idle = parameters.duration("idle"),
                   .queued = parameters.size("queued"),
                   .max_coalescing_delay = parameters.duration("max_coalescing_delay")} {}

  [[nodiscard]] Abilities acts_by() const override { return low_power_.acts_by(); }
  [[nodiscard]] std::optional<Duration> shortest_idle() const override { return low_power_.idle; }
  [[nodiscard]] std::unique_ptr<Policy> copy_for_part() const override {
    return std::make_unique<OnDemand>(*this);
  }

 private:
  void arm(const ChannelSample& channel, std::vector<Action>& actions) const override {
    low_power_.arm(channel, actions);
  }

  LowPower low_power_;
};

std::unique_ptr<Policy> make(const Parameters& parameters) {
  return std::make_unique<OnDemand>(parameters);
}

}  // namespace

Entry entry() {
  using std::chrono::hours;
  using std::chrono::nanoseconds;
  const Range<Duration> spans{nanoseconds(1), hours(1)};
  return {.name = "on-demand",
          .summary = "full rate while something waits, low power otherwise",
          .parameters = {{"low_power_state", Choice{{"sleep", "slowest"}}, "sleep",
                          "what an idle channel goes to"},
                         {"idle", spans, "1ns", "idle time after which a channel goes there"},
                         {"queued", Range<DataSize>{bytes(1), bytes(1 << 27)}, "1B",
                          "how much must wait before it wakes"},
                         {"max_coalescing_delay", Range<Duration>{Duration{}, hours(1)}, "0ns",
                          "how long less than that may wait for a sleeping channel"},
                         {"period", spans, "1ms", "how often to look for channels not armed yet"}},
          .make = make};
}

}  // namespace ebb::policy::on_demand
