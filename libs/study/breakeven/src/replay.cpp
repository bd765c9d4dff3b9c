// SPDX-License-Identifier: Apache-2.0
#include "ebb/breakeven/replay.hpp"

#include <algorithm>
#include <span>

namespace ebb::breakeven {
namespace {

Duration rested_ahead(std::span<const Sending> channel, TimePoint until, Duration shortest) {
  Duration resting{};
  TimePoint free;
  const auto rest_before = [&](TimePoint next) {
    resting += std::max(Duration{}, next - free - shortest);
  };
  for (const Sending& sending : channel) {
    rest_before(sending.at);
    free = std::max(free, sending.at) + sending.takes;
  }
  rest_before(until);
  return resting;
}

// One channel that goes to rest after `idle` without anything to send.
class OnDemand {
 public:
  OnDemand(Duration idle, const ChangeTimes& times) : idle_(idle), times_(times) {}

  // When the wire is free for a message born at `at`; in the order of births.
  TimePoint ready(TimePoint at) {
    if (at <= free_ + idle_) return std::max(at, free_);
    const TimePoint down = free_ + idle_ + times_.down;
    resting_ += std::max(Duration{}, at - down);
    return std::max(at, down) + times_.up;
  }
  void sent(TimePoint end) { free_ = end; }

  [[nodiscard]] Duration rested(TimePoint until) const {
    return resting_ + std::max(Duration{}, until - free_ - idle_ - times_.down);
  }

 private:
  Duration idle_;
  ChangeTimes times_;
  TimePoint free_;
  Duration resting_{};
};

void add_on_demand(std::span<const Sending> channel, TimePoint until, OnDemand demand,
                   Rested& sum) {
  TimePoint always_on_free;
  for (const Sending& sending : channel) {
    const TimePoint always_on = std::max(sending.at, always_on_free);
    always_on_free = always_on + sending.takes;
    const TimePoint from = demand.ready(sending.at);
    demand.sent(from + sending.takes);
    sum.delay_ps += (from - always_on).count();
  }
  sum.resting += demand.rested(until);
}

}  // namespace

Rested replay(const HostChannels& channels, Rule rule, const ChangeTimes& times) {
  Rested sum;
  sum.messages = channels.sendings();
  const Duration idle = rule == Rule::timeout ? break_even(times) : Duration{};
  for (std::size_t i = 0; i < channels.count(); ++i) {
    if (rule == Rule::ahead) {
      sum.resting += rested_ahead(channels.channel(i), channels.until(), break_even(times));
    } else {
      add_on_demand(channels.channel(i), channels.until(), OnDemand(idle, times), sum);
    }
  }
  return sum;
}

}  // namespace ebb::breakeven
