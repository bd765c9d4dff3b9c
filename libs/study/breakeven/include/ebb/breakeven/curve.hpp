// SPDX-License-Identifier: Apache-2.0
//
// How long channels rest as a function of the time that a change takes, for any part: the saving is
// the share of the time at rest times 1 - relative power at rest.
#pragma once

#include "ebb/breakeven/replay.hpp"

#include <optional>
#include <vector>

namespace ebb::breakeven {

// Of one rule.
struct RuleSeen {
  double resting = 0;  // share of the channels' time
  Duration delay{};    // added to a message, on average
};

// Three rules with one time of a change.
struct Point {
  Duration change{};
  Duration break_even{};
  // None where the time looked at is shorter than the gap and a channel was silent throughout: who
  // knows for how long.
  std::optional<RuleSeen> ahead;
  // None where the time looked at is less than ten changes: too short to see a rule that delays.
  std::optional<RuleSeen> at_once;
  std::optional<RuleSeen> timeout;
};

[[nodiscard]] RuleSeen seen_of(const HostChannels& channels, Rule rule, const ChangeTimes& times);
[[nodiscard]] Point point_of(const HostChannels& channels, const ChangeTimes& times);

// 10 ns to 10 s, in powers of ten, or in steps of 1, 2, 5.
[[nodiscard]] std::vector<Duration> decades();
[[nodiscard]] std::vector<Duration> thirds_of_decades();

[[nodiscard]] std::vector<Point> curve_of(const HostChannels& channels, Where where,
                                          const std::vector<Duration>& changes);

// Of the channel's energy at full rate.
[[nodiscard]] double saving(double resting, Ratio rest_power);

}  // namespace ebb::breakeven
