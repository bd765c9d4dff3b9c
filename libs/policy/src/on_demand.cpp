// SPDX-License-Identifier: Apache-2.0
#include "on_demand.hpp"

#include "arm_once.hpp"

#include <chrono>
#include <memory>
#include <vector>

namespace ebb::policy::on_demand {
namespace {

class OnDemand final : public ArmOnce {
 public:
  explicit OnDemand(const Parameters& parameters)
      : ArmOnce(parameters.duration("period")),
        sleeps_(parameters.choice("rest") == "sleep"),
        idle_(parameters.duration("idle")),
        queued_(parameters.size("queued")) {}

 private:
  void arm(const ChannelSample& channel, std::vector<Action>& actions) const override {
    const RateStep full{static_cast<std::uint8_t>(channel.ladder - 1)};
    if (sleeps_) {
      actions.push_back({channel.id, SleepWhenIdle{.idle = idle_, .wake = queued_}});
    } else if (channel.ladder > 1) {
      actions.push_back({channel.id, JumpWhenQueued{.queued = queued_, .step = full}});
      actions.push_back({channel.id, StepWhenIdle{.idle = idle_, .step = RateStep{0}}});
    }
  }

  bool sleeps_;
  Duration idle_;
  DataSize queued_;
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
                         {"period", spans, "1ms", "how often to look for channels not armed yet"}},
          .make = make};
}

}  // namespace ebb::policy::on_demand
