// SPDX-License-Identifier: Apache-2.0
#include "ebb/breakeven/curve.hpp"

#include <algorithm>
#include <chrono>
#include <initializer_list>

namespace ebb::breakeven {
namespace {

using namespace std::chrono_literals;

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

RuleSeen seen_of(const HostChannels& channels, Rule rule, const ChangeTimes& times) {
  const Rested rested = replay(channels, rule, times);
  RuleSeen result;
  result.resting =
      static_cast<double>(rested.resting.count()) / static_cast<double>(channels.time().count());
  if (rested.messages > 0)
    result.delay = Duration(static_cast<std::int64_t>(rested.delay_ps / rested.messages));
  return result;
}

Point point_of(const HostChannels& channels, const ChangeTimes& times) {
  Point point{.change = times.up, .break_even = break_even(times)};
  const Duration time = channels.until().time_since_epoch();
  if (point.break_even <= time || !any_silent(channels))
    point.ahead = seen_of(channels, Rule::ahead, times);
  if (kChangesToSee * point.break_even > time) return point;
  point.at_once = seen_of(channels, Rule::at_once, times);
  point.timeout = seen_of(channels, Rule::timeout, times);
  return point;
}

std::vector<Duration> decades() { return changes_at({1}); }

std::vector<Duration> thirds_of_decades() { return changes_at({1, 2, 5}); }

std::vector<Point> curve_of(const HostChannels& channels, Where where,
                            const std::vector<Duration>& changes) {
  std::vector<Point> curve;
  curve.reserve(changes.size());
  for (const Duration change : changes)
    curve.push_back(point_of(channels, change_times(where, change)));
  return curve;
}

double saving(double resting, Ratio rest_power) { return resting * (1 - rest_power.to_double()); }

}  // namespace ebb::breakeven
