// SPDX-License-Identifier: Apache-2.0
//
// "Identifying a performance threshold ... and dynamically tuning one or more of the links based on
// an estimated traffic intensity such that the performance threshold is satisfied at a minimum
// energy usage": the first claim of the patent on "Energy proportional datacenter networks". The
// threshold is the mean latency that saving power may add to a message.
//
// What a period has cost is estimated from what the channels say:
//
//   added = sum of `wake_stall` over all channels / messages,  messages = sum of `sent` to hosts /
//   size
//
// It errs to the safe side where pieces of a message wait at several channels at once, and to the
// other where messages wait behind each other. One number, the ease, follows from it: above three
// fifths of the budget channels save power later, below two fifths sooner, and at last let more
// come together before they wake.
//
//   ease < 0    low power after 125 * unit * 2^-ease idle, wake at once
//   ease = 0    low power after a unit, wake at once
//   ease > 0    low power after a unit, wake when 64 KiB wait or after 500 * unit * 2^ease (sleep
//               only)
//
// The unit is a nanosecond where channels look after themselves, as in the simulator and in
// Energy-Efficient Ethernet, and longer where a controller does it for them.
#include "building_blocks.hpp"
#include "policies.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace ebb::policy::latency_budget {
namespace {

using std::chrono::nanoseconds;

constexpr int kLeastEase = -16;  // 8 ms idle, of a unit of 1 ns
constexpr int kMostEase = 4;     // a coalescing delay of 8 us; more gains little
constexpr int kFirstEase = -6;   // 8 us idle

class LatencyBudget final : public Policy {
 public:
  explicit LatencyBudget(const Parameters& parameters)
      : budget_(parameters.duration("budget")),
        message_(parameters.size("message")),
        unit_(parameters.duration("unit")),
        sleeps_(parameters.choice("low_power_state") == "sleep"),
        period_(parameters.duration("period")) {}

  [[nodiscard]] Duration sample_period() const override { return period_; }
  [[nodiscard]] Abilities acts_by() const override { return LowPower{.sleeps = sleeps_}.acts_by(); }
  [[nodiscard]] std::optional<Duration> shortest_idle() const override { return unit_; }

  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override {
    const int ease = next_ease(sample);
    std::vector<Action> actions;
    for (const ChannelSample& channel : sample.channels) {
      if (channel.state.changing || armed_[channel.id] == ease) continue;
      low_power_at(ease).arm(channel, actions);
      armed_[channel.id] = ease;
    }
    ease_ = ease;
    return actions;
  }

  void on_outcome(const Outcome& outcome) override {
    if (outcome.reason == Reason::changing) armed_[outcome.asked.channel].reset();
  }

 private:
  // In products, so that no rounding decides: stalled * size against budget * data.
  [[nodiscard]] int next_ease(const Sample& sample) const {
    Int128 stalled = 0;
    Int128 delivered = 0;
    for (const ChannelSample& channel : sample.channels) {
      stalled += channel.wake_stall.count();
      if (channel.to_host) delivered += channel.sent.count();
    }
    const Int128 cost = stalled * message_.count();
    const Int128 allowed = delivered * budget_.count();
    if (5 * cost > 3 * allowed) return std::max(ease_ - 1, kLeastEase);
    if (5 * cost < 2 * allowed) return std::min(ease_ + 1, sleeps_ ? kMostEase : 0);
    return ease_;
  }

  [[nodiscard]] LowPower low_power_at(int ease) const {
    LowPower low_power{.sleeps = sleeps_, .idle = unit_};
    if (ease < 0) low_power.idle = 125 * unit_ * (1 << -ease);
    if (ease > 0) {
      low_power.max_coalescing_delay = 500 * unit_ * (1 << ease);
      low_power.queued = bytes(65'536);
    }
    return low_power;
  }

  Duration budget_;
  DataSize message_;
  Duration unit_;
  bool sleeps_;
  Duration period_;
  int ease_ = kFirstEase;
  ByChannel<std::optional<int>> armed_;  // with which ease
};

std::unique_ptr<Policy> make(const Parameters& parameters) {
  return std::make_unique<LatencyBudget>(parameters);
}

}  // namespace

Entry entry() {
  using std::chrono::hours;
  const Range<Duration> spans{nanoseconds(1), hours(1)};
  return {.name = "latency-budget",
          .summary = "the least energy that adds no more than so much to the mean latency",
          .parameters = {{"budget", spans, "5us", "that may be added to a message's latency"},
                         {"message", Range<DataSize>{bytes(1), bytes(1LL << 40U)}, "512KiB",
                          "mean size of a message"},
                         {"low_power_state", Choice{{"sleep", "slowest"}}, "sleep",
                          "what an idle channel goes to"},
                         {"unit", Range<Duration>{nanoseconds(1), std::chrono::milliseconds(100)},
                          "1ns", "of idle times; at least the counter interval of a live fabric"},
                         {"period", spans, "100us", "time between two decisions"}},
          .make = make};
}

}  // namespace ebb::policy::latency_budget
