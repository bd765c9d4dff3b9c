// SPDX-License-Identifier: Apache-2.0
#include "ebb/breakeven/low_power.hpp"

#include "ebb/power/model.hpp"

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <span>

namespace ebb::breakeven {
namespace {

using namespace std::chrono_literals;
using power::RateTable;

std::optional<ChangeTimes> own_times(LowPower kind, std::optional<Duration> change) {
  if (!change) return std::nullopt;
  return change_times(kind, *change);
}

std::optional<Duration> wake_time(const RateTable& rate_table) {
  return rate_table.wake ? std::optional(rate_table.wake->value) : std::nullopt;
}

std::optional<Duration> full_swing(const RateTable& rate_table) {
  return power::change_time(rate_table, rate_table.steps.front(), rate_table.steps.back());
}

Duration oracle_low_power_time(std::span<const Transmission> channel, TimePoint until,
                               Duration shortest) {
  Duration low_power{};
  TimePoint free;
  const auto add_gap_before = [&](TimePoint next) {
    low_power += std::max(Duration{}, next - free - shortest);
  };
  for (const Transmission& transmission : channel) {
    add_gap_before(transmission.at);
    free = std::max(free, transmission.at) + transmission.takes;
  }
  add_gap_before(until);
  return low_power;
}

// One channel that enters its low-power state after `idle` without anything to send.
class OnDemand {
 public:
  OnDemand(Duration idle, const ChangeTimes& times) : idle_(idle), times_(times) {}

  // When the wire is free for a message created at `at`; asked in the order of creation.
  TimePoint ready(TimePoint at) {
    if (at <= free_ + idle_) return std::max(at, free_);
    const TimePoint down = free_ + idle_ + times_.down;
    low_power_ += std::max(Duration{}, at - down);
    return std::max(at, down) + times_.up;
  }
  void sent(TimePoint end) { free_ = end; }

  [[nodiscard]] Duration low_power_time(TimePoint until) const {
    return low_power_ + std::max(Duration{}, until - free_ - idle_ - times_.down);
  }

 private:
  Duration idle_;
  ChangeTimes times_;
  TimePoint free_;
  Duration low_power_{};
};

void add_on_demand(std::span<const Transmission> channel, TimePoint until, OnDemand demand,
                   Replayed& sum) {
  TimePoint always_on_free;
  for (const Transmission& transmission : channel) {
    const TimePoint always_on = std::max(transmission.at, always_on_free);
    always_on_free = always_on + transmission.takes;
    const TimePoint from = demand.ready(transmission.at);
    demand.sent(from + transmission.takes);
    sum.delay_ps += (from - always_on).count();
  }
  sum.low_power += demand.low_power_time(until);
}

constexpr Duration kShortestChange = 10ns;
constexpr Duration kLongestChange = 10s;
constexpr int kChangesToSee = 10;

bool any_silent(const HostChannels& channels) {
  for (std::size_t i = 0; i < channels.count(); ++i) {
    if (channels.channel(i).empty()) return true;
  }
  return false;
}

std::vector<Duration> changes_at(std::initializer_list<int> in_each_decade) {
  std::vector<Duration> changes;
  for (Duration decade = kShortestChange; decade <= kLongestChange; decade *= 10) {
    for (const int times : in_each_decade) {
      if (times * decade <= kLongestChange) changes.push_back(times * decade);
    }
  }
  return changes;
}

}  // namespace
std::string_view to_text(LowPower kind) { return kind == LowPower::asleep ? "asleep" : "slowest"; }

ChangeTimes change_times(LowPower kind, Duration change) {
  return {kind == LowPower::asleep ? Duration{} : change, change};
}

std::vector<LowPowerState> low_power_states(const RateTable& rate_table) {
  std::vector<LowPowerState> states;
  if (rate_table.sleep) {
    states.push_back({LowPower::asleep, rate_table.sleep->value,
                      own_times(LowPower::asleep, wake_time(rate_table))});
  }
  if (power::slowest(rate_table) < power::kFullPower) {
    states.push_back({LowPower::slowest, power::slowest(rate_table),
                      own_times(LowPower::slowest, full_swing(rate_table))});
  }
  return states;
}

Replayed replay_on_demand(const HostChannels& channels, Duration idle, const ChangeTimes& times) {
  Replayed sum;
  sum.messages = channels.transmissions();
  for (std::size_t i = 0; i < channels.count(); ++i)
    add_on_demand(channels.channel(i), channels.until(), OnDemand(idle, times), sum);
  return sum;
}

Replayed replay(const HostChannels& channels, Rule rule, const ChangeTimes& times) {
  if (rule == Rule::immediate) return replay_on_demand(channels, Duration{}, times);
  if (rule == Rule::timeout) return replay_on_demand(channels, break_even(times), times);
  Replayed sum;
  sum.messages = channels.transmissions();
  for (std::size_t i = 0; i < channels.count(); ++i) {
    sum.low_power +=
        oracle_low_power_time(channels.channel(i), channels.until(), break_even(times));
  }
  return sum;
}

RuleResult result_of(const HostChannels& channels, Rule rule, const ChangeTimes& times) {
  return result_of(channels, replay(channels, rule, times));
}

RuleResult result_of(const HostChannels& channels, const Replayed& replayed) {
  RuleResult result;
  result.low_power_share = static_cast<double>(replayed.low_power.count()) /
                           static_cast<double>(channels.time().count());
  if (replayed.messages > 0)
    result.delay = Duration(static_cast<std::int64_t>(replayed.delay_ps / replayed.messages));
  return result;
}

bool long_enough(const HostChannels& channels, const ChangeTimes& times) {
  return kChangesToSee * break_even(times) <= channels.until().time_since_epoch();
}

Point point_of(const HostChannels& channels, const ChangeTimes& times) {
  Point point{.change = times.up, .break_even = break_even(times)};
  const Duration time = channels.until().time_since_epoch();
  if (point.break_even <= time || !any_silent(channels))
    point.oracle = result_of(channels, Rule::oracle, times);
  if (!long_enough(channels, times)) return point;
  point.immediate = result_of(channels, Rule::immediate, times);
  point.timeout = result_of(channels, Rule::timeout, times);
  return point;
}

std::vector<Duration> decades() { return changes_at({1}); }

std::vector<Duration> thirds_of_decades() { return changes_at({1, 2, 5}); }

std::vector<Point> curve_of(const HostChannels& channels, LowPower kind,
                            const std::vector<Duration>& changes) {
  std::vector<Point> curve;
  curve.reserve(changes.size());
  for (const Duration change : changes)
    curve.push_back(point_of(channels, change_times(kind, change)));
  return curve;
}

double saving(double low_power_share, Ratio low_power) {
  return low_power_share * (1 - low_power.to_double());
}

}  // namespace ebb::breakeven
