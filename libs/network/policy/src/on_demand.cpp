// SPDX-License-Identifier: Apache-2.0
#include "on_demand.hpp"

#include "arm_once.hpp"
#include "rest.hpp"

#include <chrono>
#include <memory>
#include <vector>

namespace ebb::policy::on_demand {
namespace {

class OnDemand final : public ArmOnce {
 public:
  explicit OnDemand(const Parameters& parameters)
      : ArmOnce(parameters.duration("period")),
        rest_{.sleeps = parameters.choice("rest") == "sleep",
              .idle = parameters.duration("idle"),
              .queued = parameters.size("queued"),
              .patience = parameters.duration("patience")} {}

 private:
  void arm(const ChannelSample& channel, std::vector<Action>& actions) const override {
    rest_.arm(channel, actions);
  }

  Rest rest_;
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
          .summary = "full rate while something waits, at rest otherwise",
          .parameters = {{"rest", Choice{{"sleep", "slowest"}}, "sleep", "how a channel rests"},
                         {"idle", spans, "1ns", "idle time after which a channel rests"},
                         {"queued", Range<DataSize>{bytes(1), bytes(1 << 27)}, "1B",
                          "how much must wait before it gets up"},
                         {"patience", Range<Duration>{Duration{}, hours(1)}, "0ns",
                          "how long something may wait for a sleeping channel before it gets up "
                          "all the same"},
                         {"period", spans, "1ms", "how often to look for channels not armed yet"}},
          .make = make};
}

}  // namespace ebb::policy::on_demand
