// SPDX-License-Identifier: Apache-2.0
#include "latency_budget.hpp"

#include "by_channel.hpp"
#include "rest.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace ebb::policy::latency_budget {
namespace {

using std::chrono::nanoseconds;

constexpr int kLeastEase = -16;  // 8 ms idle
constexpr int kMostEase = 4;     // 8 us of patience; more gains little
constexpr int kFirstEase = -6;   // 8 us idle

class LatencyBudget final : public Policy {
 public:
  explicit LatencyBudget(const Parameters& parameters)
      : budget_(parameters.duration("budget")),
        message_(parameters.size("message")),
        sleeps_(parameters.choice("rest") == "sleep"),
        period_(parameters.duration("period")) {}

  [[nodiscard]] Duration sample_period() const override { return period_; }

  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override {
    const int ease = next_ease(sample);
    std::vector<Action> actions;
    for (const ChannelSample& channel : sample.channels) {
      if (channel.state.changing || armed_[channel.id] == ease) continue;
      rest_at(ease).arm(channel, actions);
      armed_[channel.id] = ease;
    }
    ease_ = ease;
    return actions;
  }

  void learn(const Outcome& outcome) override {
    if (outcome.reason == Reason::changing) armed_[outcome.asked.channel].reset();
  }

 private:
  // In products, so that no rounding decides: held * size against budget * data.
  [[nodiscard]] int next_ease(const Sample& sample) const {
    Int128 held = 0;
    Int128 delivered = 0;
    for (const ChannelSample& channel : sample.channels) {
      held += channel.held.count();
      if (channel.to_host) delivered += channel.sent.count();
    }
    const Int128 cost = held * message_.count();
    const Int128 allowed = delivered * budget_.count();
    if (5 * cost > 3 * allowed) return std::max(ease_ - 1, kLeastEase);
    if (5 * cost < 2 * allowed) return std::min(ease_ + 1, sleeps_ ? kMostEase : 0);
    return ease_;
  }

  [[nodiscard]] Rest rest_at(int ease) const {
    Rest rest{.sleeps = sleeps_, .idle = nanoseconds(1)};
    if (ease < 0) rest.idle = nanoseconds(125) * (1 << -ease);
    if (ease > 0) {
      rest.patience = nanoseconds(500) * (1 << ease);
      rest.queued = bytes(65'536);
    }
    return rest;
  }

  Duration budget_;
  DataSize message_;
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
                         {"rest", Choice{{"sleep", "slowest"}}, "sleep", "how a channel rests"},
                         {"period", spans, "100us", "time between two decisions"}},
          .make = make};
}

}  // namespace ebb::policy::latency_budget
