// SPDX-License-Identifier: Apache-2.0
//
// Where a channel with nothing to send can rest, and the shortest idle gap that is worth it.
//
// Always on, a gap g costs P_on * g. Resting in it costs P_change while the channel changes down
// and up, P_rest in between:
//   P_change * (down + up) + P_rest * (g - down - up)
// These are equal at the break-even gap
//   g = (down + up) * (P_change - P_rest) / (P_on - P_rest)
// A change draws the higher of the two powers (power::power_while_changing), so P_change = P_on,
// the fraction is 1, and the shortest gap worth resting is the time of the changes, whatever the
// powers.
#pragma once

#include "ebb/power/part.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ebb::breakeven {

enum class Where : std::uint8_t {
  asleep,  // falling asleep takes no time, waking does
  slowest  // the slowest step of the ladder; down and up take as long
};
[[nodiscard]] std::string_view to_text(Where where);

struct ChangeTimes {
  Duration down{};
  Duration up{};

  bool operator==(const ChangeTimes&) const = default;
};

// Of a channel that takes `change` to come back.
[[nodiscard]] ChangeTimes change_times(Where where, Duration change);

[[nodiscard]] constexpr Duration break_even(const ChangeTimes& times) {
  return times.down + times.up;
}

struct Rest {
  Where where = Where::asleep;
  Ratio power;                     // of the power at full rate
  std::optional<ChangeTimes> own;  // none: not published

  bool operator==(const Rest&) const = default;
};

// Asleep, and at the slowest step where that draws less than full rate; none for a ladder that can
// do neither. One change leads from any step to any other, as in the simulator.
[[nodiscard]] std::vector<Rest> rests_of(const power::Ladder& ladder);

}  // namespace ebb::breakeven
