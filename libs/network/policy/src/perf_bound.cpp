// SPDX-License-Identifier: Apache-2.0
//
// A bound on what saving power costs, kept by each channel for itself: of the time in which
// something waits for a channel, at most the share `bound` of a window may be due to its sleep.
// What changes is how long a channel must have been idle before it sleeps,
//
//   idle' = 2 idle  where the wake stall was above bound * window,
//   idle' = idle / 2  where it was below half of that,
//
// between `shortest` and `longest`. It is modelled on PerfBound as its abstracts describe it: the
// threshold of Energy-Efficient Ethernet adapts to bounded overheads (Saravanan, Carpenter and
// Ramirez, "A performance perspective on energy efficient HPC links", ICS 2014).
#include "building_blocks.hpp"
#include "policies.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace ebb::policy::perf_bound {
namespace {

class PerfBound final : public Policy {
 public:
  explicit PerfBound(const Parameters& parameters)
      : bound_(parameters.ratio("bound")),
        shortest_(parameters.duration("shortest")),
        longest_(std::max(shortest_, parameters.duration("longest"))),
        period_(parameters.duration("period")) {}

  [[nodiscard]] Duration sample_period() const override { return period_; }
  [[nodiscard]] Abilities acts_by() const override { return {Ability::sleep_when_idle}; }
  [[nodiscard]] std::optional<Duration> shortest_idle() const override { return shortest_; }
  [[nodiscard]] std::unique_ptr<Policy> copy_for_part() const override {
    return std::make_unique<PerfBound>(*this);
  }

  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override {
    std::vector<Action> actions;
    for (const ChannelSample& channel : sample.channels) {
      Known& known = known_[channel.id];
      known.wanted = next_idle(channel, std::max(known.wanted, shortest_));
      if (channel.state.changing || known.wanted == known.armed) continue;
      known.armed = known.wanted;
      LowPower{.idle = known.wanted}.arm(channel, actions);
    }
    return actions;
  }

  void on_outcome(const Outcome& outcome) override {
    if (outcome.reason == Reason::changing) known_[outcome.asked.channel].armed = {};
  }

 private:
  struct Known {
    Duration wanted{};
    Duration armed{};  // zero: not armed
  };

  // Compared without rounding.
  [[nodiscard]] Duration next_idle(const ChannelSample& channel, Duration idle) const {
    const Int128 stall = static_cast<Int128>(channel.wake_stall.count()) * bound_.den();
    const Int128 allowed = static_cast<Int128>(channel.window.count()) * bound_.num();
    if (stall > allowed) return std::min(2 * idle, longest_);
    return 2 * stall < allowed ? std::max(idle / 2, shortest_) : idle;
  }

  Ratio bound_;
  Duration shortest_;
  Duration longest_;
  Duration period_;
  ByChannel<Known> known_;
};

}  // namespace

Entry entry() {
  using std::chrono::hours;
  using std::chrono::nanoseconds;
  const Range<Duration> spans{nanoseconds(1), hours(1)};
  return {.name = "perf-bound",
          .summary = "channels sleep when idle, later where waking has cost more than a bound",
          .parameters = {{"bound", Range<Ratio>{Ratio(1, 100'000), Ratio(1, 1)}, "1%",
                          "share of the time in which something may wait for a channel to wake"},
                         {"shortest", spans, "1us", "idle time before a channel sleeps, at least"},
                         {"longest", spans, "1s", "and at most"},
                         {"period", spans, "100us", "time between two decisions"}},
          .make = [](const Parameters& parameters) -> std::unique_ptr<Policy> {
            return std::make_unique<PerfBound>(parameters);
          }};
}

}  // namespace ebb::policy::perf_bound
