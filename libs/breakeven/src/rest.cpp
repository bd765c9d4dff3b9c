// SPDX-License-Identifier: Apache-2.0
#include "ebb/breakeven/rest.hpp"

#include "ebb/power/model.hpp"

namespace ebb::breakeven {
namespace {

using power::Ladder;

std::optional<ChangeTimes> own_times(Where where,
                                     const std::optional<power::Sourced<Duration>>& change) {
  if (!change) return std::nullopt;
  return change_times(where, change->value);
}

// Changes that also change lanes take as long as others where nothing else is known of them.
std::optional<power::Sourced<Duration>> full_swing(const Ladder& ladder) {
  const bool same_lanes = ladder.steps.front().lanes == ladder.steps.back().lanes;
  return same_lanes || !ladder.lane_change ? ladder.rate_change : ladder.lane_change;
}

}  // namespace

std::string_view to_text(Where where) { return where == Where::asleep ? "asleep" : "slowest"; }

ChangeTimes change_times(Where where, Duration change) {
  return {where == Where::asleep ? Duration{} : change, change};
}

std::vector<Rest> rests_of(const Ladder& ladder) {
  std::vector<Rest> rests;
  if (ladder.sleep) {
    rests.push_back({Where::asleep, ladder.sleep->value, own_times(Where::asleep, ladder.wake)});
  }
  if (power::slowest(ladder) < power::kFullPower) {
    rests.push_back(
        {Where::slowest, power::slowest(ladder), own_times(Where::slowest, full_swing(ladder))});
  }
  return rests;
}

}  // namespace ebb::breakeven
