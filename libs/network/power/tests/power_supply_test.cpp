// SPDX-License-Identifier: Apache-2.0
#include "ebb/power/power_supply.hpp"

#include "ebb/core/random.hpp"
#include "ebb/power/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace ebb::power {
namespace {

EfficiencyPoint point(int load, int efficiency) {
  return {Ratio(load, 100), {Ratio(efficiency, 100), 0}};
}

// 80 PLUS Platinum at 230 V.
std::vector<EfficiencyPoint> platinum() { return {point(20, 90), point(50, 94), point(100, 91)}; }

// Two of 400 W: 160 W are a fifth of their load.
SwitchSupply two_of_400() { return {platinum(), watts(400), 2}; }

std::vector<std::string> mistakes_of(const std::vector<EfficiencyPoint>& points) {
  std::vector<std::string> all;
  for (const EfficiencyMistake& mistake : validate(points)) all.push_back(mistake.message);
  return all;
}

using Texts = std::vector<std::string>;

// 160 / 0.90, 400 / 0.94 and 800 / 0.91, rounded up to a microwatt.
TEST(SwitchSupply, TakesWhatIsKnownAtThePoints) {
  EXPECT_EQ(two_of_400().capacity(), watts(800));
  EXPECT_EQ(two_of_400().at_wall(watts(160)), microwatts(177'777'778));
  EXPECT_EQ(two_of_400().at_wall(watts(400)), microwatts(425'531'915));
  EXPECT_EQ(two_of_400().at_wall(watts(800)), microwatts(879'120'880));
}

// At 35 % load 92 %, at 75 % 92.5 %: 280 / 0.92 and 600 / 0.925.
TEST(SwitchSupply, EfficiencyIsLinearBetweenPoints) {
  EXPECT_EQ(two_of_400().at_wall(watts(280)), microwatts(304'347'827));
  EXPECT_EQ(two_of_400().at_wall(watts(600)), microwatts(648'648'649));
}

// 160 W lose 160 / 0.9 - 160 = 17.78 W, and so does less.
TEST(SwitchSupply, LosesAsMuchBelowTheFirstPoint) {
  EXPECT_EQ(two_of_400().at_wall(watts(80)), microwatts(97'777'778));
  EXPECT_EQ(two_of_400().at_wall(Power{}), microwatts(17'777'778));
}

// 1000 / 0.91.
TEST(SwitchSupply, KeepsItsEfficiencyBeyondFullLoad) {
  EXPECT_EQ(two_of_400().at_wall(watts(1000)), microwatts(1'098'901'099));
}

// 300 W are 75 % of one and 37.5 % of each of two: 92.5 % and 92.333 %.
TEST(SwitchSupply, ShareTheLoad) {
  EXPECT_EQ(SwitchSupply(platinum(), watts(400), 1).at_wall(watts(300)), microwatts(324'324'325));
  EXPECT_EQ(two_of_400().at_wall(watts(300)), microwatts(324'909'748));
}

// The largest supplies that part files may name.
TEST(SwitchSupply, HoldsItsArithmeticForTheLargest) {
  const SwitchSupply large(platinum(), watts(100'000), 64);
  EXPECT_EQ(large.at_wall(watts(6'400'000 - 1)), microwatts(7'032'965'861'611));
  EXPECT_EQ(large.at_wall(watts(6'400'000)), microwatts(7'032'967'032'968));
}

TEST(SwitchSupply, WallPowerRisesWithTheOutput) {
  Power before;
  for (int watt = 0; watt <= 900; ++watt) {
    const Power now = two_of_400().at_wall(watts(watt));
    EXPECT_GT(now, before) << watt;
    before = now;
  }
}

// From 80 to 240 W the slope is 1 below 160 W and 0.8733 / 0.81 = 1.07819 just above, where the
// efficiency would be 87.33 % at no load. The mean distance from 160 W is 80 W at most.
TEST(SwitchSupply, BoundsHowMuchTheMeanDiffers) {
  EXPECT_EQ(two_of_400().mean_differs_by({watts(80), watts(160), watts(240)}),
            microwatts(3'127'600));
}

TEST(SwitchSupply, OfAConstantOutputIsExact) {
  EXPECT_EQ(two_of_400().mean_differs_by({watts(300), watts(300), watts(300)}), Power{});
  EXPECT_EQ(two_of_400().mean_differs_by({watts(100), watts(300), watts(300)}), Power{});
  EXPECT_EQ(two_of_400().mean_differs_by({watts(10), watts(20), watts(150)}), Power{})
      << "below the first point the loss is the same, so the wall follows the output";
}

// Outputs at random between limits at random: what the wall draws on average is within the bound.
TEST(SwitchSupply, BoundHoldsForAnyOutput) {
  RandomStream random(7, "power supply");
  for (int round = 0; round < 2000; ++round) {
    const auto a = static_cast<std::int64_t>(random.below(850'000'000));
    const auto width = static_cast<std::int64_t>(1 + random.below(400'000'000));
    const auto parts = static_cast<std::int64_t>(1 + random.below(4));
    Power sum;
    Power at_wall;
    for (std::int64_t i = 0; i < parts; ++i) {
      const auto above = random.below(3) == 0 ? 0 : random.below(static_cast<std::uint64_t>(width));
      const Power output = microwatts(a + static_cast<std::int64_t>(above));
      sum += output;
      at_wall += two_of_400().at_wall(output);
    }
    const Power mean = scale(sum, Ratio(1, parts));
    const std::int64_t difference =
        std::abs(scale(at_wall, Ratio(1, parts)).count() - two_of_400().at_wall(mean).count());
    const Power bound = two_of_400().mean_differs_by({microwatts(a), mean, microwatts(a + width)});
    EXPECT_LE(difference, bound.count() + 3) << round << ": three roundings of a microwatt";
  }
}

TEST(EfficiencyPoints, AscendToFullLoadAndTakeMoreForMore) {
  EXPECT_EQ(mistakes_of(platinum()), Texts{});
  EXPECT_EQ(mistakes_of({point(50, 90), point(50, 92), point(100, 91)}),
            Texts{"loads must ascend, but 0.5 follows 0.5"});
  EXPECT_EQ(mistakes_of({point(90, 90), point(100, 100)}),
            Texts{"at 1 it would take less from the wall than at 0.9"});
  EXPECT_EQ(mistakes_of({point(20, 90), point(50, 94)}),
            Texts{"the last point is full load: its load must be 1, not 0.5"});
}

// A library with the chip, of 100 W, in a box around it.
Library library(std::optional<SupplyChoice> supply) {
  Library parts;
  parts.add_part({"platinum", "", PowerSupply{platinum(), std::nullopt}});
  parts.add_part({"own", "", PowerSupply{platinum(), Sourced<Power>{watts(200), 0}}});
  Chip chip{.ports = 4, .power = {watts(100), 0}, .link_share = {Ratio(1, 2), 0}};
  chip.supply = std::move(supply);
  parts.add_part({"chip", "", chip});
  Box box{.ports = 4, .base = {watts(150), 0}};
  box.chip = "chip";
  parts.add_part({"box", "", box});
  return parts;
}

std::optional<SwitchSupply> of_chip(std::optional<SupplyChoice> supply) {
  const Library parts = library(std::move(supply));
  return supply_of(**parts.find_as<Chip>("chip"), parts).value();
}

TEST(SupplyOf, AChipThatNamesNoneIsNothing) { EXPECT_EQ(of_chip(std::nullopt), std::nullopt); }

TEST(SupplyOf, IsRatedByThePartOrByTheChip) {
  EXPECT_EQ(of_chip(SupplyChoice{"platinum", 2, Sourced<Power>{watts(400), 0}}), two_of_400());
  EXPECT_EQ(of_chip(SupplyChoice{"own", 4, std::nullopt}), SwitchSupply(platinum(), watts(200), 4));
}

// The box was measured at the wall, so the losses of its supplies are in its base.
TEST(SupplyOf, ABoxHasNone) {
  const Library parts = library(SupplyChoice{"own", 2, std::nullopt});
  const auto inside = as_chip(**parts.find("box"), parts);
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->supply, std::nullopt);
  EXPECT_TRUE(as_chip(**parts.find("chip"), parts)->supply);
}

}  // namespace
}  // namespace ebb::power
