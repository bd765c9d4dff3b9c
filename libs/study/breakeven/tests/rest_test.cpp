// SPDX-License-Identifier: Apache-2.0
#include "ebb/breakeven/rest.hpp"

#include "ebb/power/ledger.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace ebb::breakeven {
namespace {

using namespace std::chrono_literals;
using power::Ladder;
using power::Sourced;

Ladder sleeping() {
  Ladder ladder;
  ladder.steps = {{gigabits_per_second(1), 4, {Ratio(1, 1)}}};
  ladder.sleep = Sourced<Ratio>{Ratio(1, 10)};
  ladder.wake = Sourced<Duration>{17us};
  return ladder;
}

Ladder stepping(int slow_lanes) {
  Ladder ladder;
  ladder.steps = {{gigabits_per_second(10), slow_lanes, {Ratio(42, 100)}},
                  {gigabits_per_second(40), 4, {Ratio(1, 1)}}};
  ladder.rate_change = Sourced<Duration>{100ns};
  ladder.lane_change = Sourced<Duration>{3us};
  return ladder;
}

Energy rested(const ChangeTimes& times, Power on, Power rest, Duration gap) {
  const Duration changes = times.down + times.up;
  return power::power_while_changing(on, rest) * changes + rest * (gap - changes);
}

TEST(Rests, OfALadderThatSleeps) {
  const auto rests = rests_of(sleeping());
  ASSERT_EQ(rests.size(), 1U);
  EXPECT_EQ(rests[0], (Rest{Where::asleep, Ratio(1, 10), ChangeTimes{0us, 17us}}));
}

TEST(Rests, AtTheSlowestStepTakeALaneChangeWhereLanesDiffer) {
  EXPECT_EQ(rests_of(stepping(4)),
            (std::vector{Rest{Where::slowest, Ratio(42, 100), ChangeTimes{100ns, 100ns}}}));
  EXPECT_EQ(rests_of(stepping(1)),
            (std::vector{Rest{Where::slowest, Ratio(42, 100), ChangeTimes{3us, 3us}}}));
}

TEST(Rests, AtTheSlowestStepWaitForTheSupply) {
  Ladder ladder = stepping(4);
  ladder.supply_per_us = Sourced<Voltage>{millivolts(100)};
  ladder.steps.front().supply = Sourced<Voltage>{millivolts(800)};
  ladder.steps.back().supply = Sourced<Voltage>{millivolts(1800)};
  EXPECT_EQ(rests_of(ladder)[0].own, (ChangeTimes{10us, 10us}));
}

TEST(Rests, WithoutPublishedTimesHaveNone) {
  Ladder ladder = sleeping();
  ladder.wake.reset();
  EXPECT_EQ(rests_of(ladder)[0].own, std::nullopt);
}

TEST(Rests, OfALadderWithOneStepAndNoSleepDoNotExist) {
  Ladder ladder = sleeping();
  ladder.sleep.reset();
  EXPECT_TRUE(rests_of(ladder).empty());
}

// The equation of docs/models/breakeven.md, with the energies of the ledger.
TEST(BreakEven, IsWhereRestingAndStayingOnCostTheSame) {
  const Power on = milliwatts(500);
  for (const Power rest : {watts(0), milliwatts(50), milliwatts(499)}) {
    for (const ChangeTimes times : {ChangeTimes{0us, 17us}, ChangeTimes{3us, 3us}}) {
      const Duration gap = break_even(times);
      EXPECT_EQ(rested(times, on, rest, gap), on * gap);
      EXPECT_LT(rested(times, on, rest, gap + Duration(1)), on * (gap + Duration(1)));
    }
  }
}

}  // namespace
}  // namespace ebb::breakeven
