// SPDX-License-Identifier: Apache-2.0
//
// The low-power states of a channel, the shortest idle gap that is worth one, and what three rules
// for entering them save on given traffic.
//
// Always on, a gap g costs P_on * g. With a low-power state it costs P_change while the channel
// changes down and up, and P_low in between:
//   P_change * (down + up) + P_low * (g - down - up)
// These are equal at the break-even gap
//   g = (down + up) * (P_change - P_low) / (P_on - P_low)
// A change draws the higher of the two powers (power::power_while_changing), so P_change = P_on,
// the fraction is 1, and the break-even gap is the time of the changes, whatever the powers.
//
//   for (const LowPowerState& state : low_power_states(rate_table)) {
//     const Point point = point_of(channels, *state.own);
//     saving(point.timeout->low_power_share, state.power);
//   }
#pragma once

#include "ebb/breakeven/host_channels.hpp"
#include "ebb/power/part.hpp"
#include "ebb/units/quantity.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ebb::breakeven {

enum class LowPower : std::uint8_t {
  asleep,  // entering takes no time, waking does
  slowest  // the slowest level of the rate table; down and up take as long
};
[[nodiscard]] std::string_view to_text(LowPower kind);

struct ChangeTimes {
  Duration down{};
  Duration up{};

  bool operator==(const ChangeTimes&) const = default;
};

// Of a channel that takes `change` to wake.
[[nodiscard]] ChangeTimes change_times(LowPower kind, Duration change);

[[nodiscard]] constexpr Duration break_even(const ChangeTimes& times) {
  return times.down + times.up;
}

struct LowPowerState {
  LowPower kind = LowPower::asleep;
  Ratio power;                     // of the power at full rate
  std::optional<ChangeTimes> own;  // none: not published

  bool operator==(const LowPowerState&) const = default;
};

// Asleep, and at the slowest level where that draws less than full rate; none for a rate table that
// can do neither. One change leads from any level to any other, as in the simulator.
[[nodiscard]] std::vector<LowPowerState> low_power_states(const power::RateTable& rate_table);

// When a channel enters its low-power state:
//   oracle     knows the future: in the gaps that are longer than the break-even gap, from their
//              beginning, and wakes in time for their end. It delays nothing; no rule that delays
//              nothing spends more time in the low-power state
//   immediate  in every gap from its beginning; the message that ends the gap waits until the
//              channel is awake, as do those behind it
//   timeout    the same, but after one break-even gap of idleness. Of the idle time it loses at
//              most twice what `oracle` loses, whatever the traffic
// Messages that wait for a channel gather and are sent back to back, which makes fewer and longer
// gaps: with long changes the last two may save more than `oracle`, and pay for it in delay.
// A channel that has to wake while it changes down finishes that change first.
enum class Rule : std::uint8_t { oracle, immediate, timeout };

// Times are exact.
struct Replayed {
  Duration low_power{};  // of all channels together, without the changes
  Int128 delay_ps{};     // added to all messages together
  std::int64_t messages = 0;

  bool operator==(const Replayed&) const = default;
};

[[nodiscard]] Replayed replay(const HostChannels& channels, Rule rule, const ChangeTimes& times);

// `immediate` and `timeout` for any time of idleness after which a channel enters its low-power
// state.
[[nodiscard]] Replayed replay_on_demand(const HostChannels& channels, Duration idle,
                                        const ChangeTimes& times);

struct RuleResult {
  double low_power_share = 0;  // of the channels' time
  Duration delay{};            // added to a message, on average
};

// Three rules with one time of a change.
struct Point {
  Duration change{};
  Duration break_even{};
  // None where the time looked at is shorter than the gap and a channel was silent throughout: the
  // length of its gap is not known.
  std::optional<RuleResult> oracle;
  // None where the time looked at is less than ten changes: too short for a rule that delays.
  std::optional<RuleResult> immediate;
  std::optional<RuleResult> timeout;
};

[[nodiscard]] RuleResult result_of(const HostChannels& channels, Rule rule,
                                   const ChangeTimes& times);
[[nodiscard]] RuleResult result_of(const HostChannels& channels, const Replayed& replayed);
// Whether the time looked at is long enough for a rule that delays.
[[nodiscard]] bool long_enough(const HostChannels& channels, const ChangeTimes& times);
[[nodiscard]] Point point_of(const HostChannels& channels, const ChangeTimes& times);

// 10 ns to 10 s, in powers of ten, or in steps of 1, 2, 5.
[[nodiscard]] std::vector<Duration> decades();
[[nodiscard]] std::vector<Duration> thirds_of_decades();

// The three rules as a function of the time of a change, for any part.
[[nodiscard]] std::vector<Point> curve_of(const HostChannels& channels, LowPower kind,
                                          const std::vector<Duration>& changes);

// Of the channel's energy at full rate.
[[nodiscard]] double saving(double low_power_share, Ratio low_power);

}  // namespace ebb::breakeven
