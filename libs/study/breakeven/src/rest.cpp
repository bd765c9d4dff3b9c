// SPDX-License-Identifier: Apache-2.0
#include "ebb/breakeven/rest.hpp"

#include "ebb/power/model.hpp"

namespace ebb::breakeven {
namespace {

using power::Ladder;

std::optional<ChangeTimes> own_times(Where where, std::optional<Duration> change) {
  if (!change) return std::nullopt;
  return change_times(where, *change);
}

std::optional<Duration> wake_time(const Ladder& ladder) {
  return ladder.wake ? std::optional(ladder.wake->value) : std::nullopt;
}

std::optional<Duration> full_swing(const Ladder& ladder) {
  return power::change_time(ladder, ladder.steps.front(), ladder.steps.back());
}

}  // namespace

std::string_view to_text(Where where) { return where == Where::asleep ? "asleep" : "slowest"; }

ChangeTimes change_times(Where where, Duration change) {
  return {where == Where::asleep ? Duration{} : change, change};
}

std::vector<Rest> rests_of(const Ladder& ladder) {
  std::vector<Rest> rests;
  if (ladder.sleep) {
    rests.push_back(
        {Where::asleep, ladder.sleep->value, own_times(Where::asleep, wake_time(ladder))});
  }
  if (power::slowest(ladder) < power::kFullPower) {
    rests.push_back(
        {Where::slowest, power::slowest(ladder), own_times(Where::slowest, full_swing(ladder))});
  }
  return rests;
}

}  // namespace ebb::breakeven
