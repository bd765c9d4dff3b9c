// SPDX-License-Identifier: Apache-2.0
// What networks take from the wall, by hand.
#include "ebb/plan/wall.hpp"

#include "ebb/plan/design.hpp"
#include "ebb/plan/json.hpp"
#include "ebb/plan/sleep.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ebb::plan {
namespace {

template <class T>
power::Sourced<T> of_test(T value) {
  return {value, 0};
}

// 60 % of a fifth of the load, 90 % of half, 80 % of all: 40 points more than the load between the
// first two.
power::PowerSupply supply_part() {
  power::PowerSupply supply;
  for (const auto& [load, efficiency] : {std::pair(20, 60), std::pair(50, 90), std::pair(100, 80)})
    supply.efficiency.push_back({Ratio(load, 100), of_test(Ratio(efficiency, 100))});
  return supply;
}

// A chip of 72 W: 36 links of 1 W, half of it at 10 Gb/s and a tenth asleep, behind two supplies;
// the same without supplies, and with a group of 30 W that draws 6 W asleep. Modules of 2 W.
power::Library library(Power rated) {
  power::Library parts;
  parts.add_source({"test", "hand-made", "2026", power::Evidence::assumed, "for this test"});
  const auto wake = of_test(Duration(std::chrono::milliseconds(1)));
  power::RateTable rates;
  rates.steps = {{gigabits_per_second(10), 1, of_test(Ratio(1, 2)), {}},
                 {gigabits_per_second(40), 1, of_test(Ratio(1, 1)), {}}};
  rates.sleep = of_test(Ratio(1, 10));
  rates.wake = wake;
  parts.add_part({"sleepy", "", rates});
  parts.add_part({"supply", "", supply_part()});
  power::Chip chip{36, gigabits_per_second(40), of_test(watts(72)), of_test(Ratio(1, 2)), "sleepy"};
  parts.add_part({"bare", "", chip});
  chip.supply = power::SupplyChoice{"supply", 2, of_test(rated)};
  parts.add_part({"fed", "", chip});
  chip.groups = {{"asic", {}, of_test(watts(30)), of_test(watts(6)), wake, {}}};
  parts.add_part({"grouped", "", chip});
  power::Module module{"optical", {}, {{gigabits_per_second(40), of_test(watts(2))}}, {}};
  parts.add_part({"optics", "", module});
  parts.add_part({"nic", "", power::Nic{gigabits_per_second(40), of_test(watts(10))}});
  return parts;
}

Inputs inputs_of(std::int64_t hosts, const std::string& part) {
  Inputs inputs;
  inputs.hosts = hosts;
  inputs.parts.switch_part = part;
  inputs.floor.switches_per_rack = 1;
  return inputs;
}

Inputs with_modules(Inputs inputs) {
  inputs.parts.optical = "optics";
  inputs.parts.nic = "nic";
  return inputs;
}

Design design_of(const Candidate& candidate, const Inputs& inputs, Power rated) {
  auto design = evaluate(candidate, inputs, library(rated));
  EXPECT_TRUE(design) << to_string(design.error());
  return std::move(*design);
}

const Candidate kFour{"four", "complete", {{"switches", "4"}, {"hosts", "2"}}};
const Candidate kTwoLevels{
    "two", "clos", {{"levels", "2"}, {"ports", "36"}, {"hosts", "648"}, {"down", "18"}}};

// Each of four switches has two copper links to hosts and three optical ones: 36 + 5 + 6 = 47 W,
// half of 94 W, so 47 / 0.9 W at the wall; cards are not fed by switches. At 10 Gb/s it draws 44.5
// W at 87.34 %.
TEST(Wall, EachSwitchIsAtItsOwnLoad) {
  const Design design = design_of(kFour, with_modules(inputs_of(8, "fed")), watts(47));
  EXPECT_EQ(design.watts.at_load, watts(4 * 47 + 80));
  ASSERT_TRUE(design.wall);
  EXPECT_EQ(design.wall->at_load, microwatts(4 * 52'222'223) + watts(80));
  EXPECT_EQ(design.wall->lost, microwatts(4 * 5'222'223));
  EXPECT_EQ(design.wall->slowest, microwatts(4 * 50'950'061) + watts(80));
}

TEST(Wall, ThatIsKnownIsWhatEnergyCosts) {
  const Inputs inputs = inputs_of(8, "fed");
  const Design design = design_of(kFour, inputs, watts(47));
  EXPECT_EQ(design.energy_cost, energy_cost(design.wall->at_load, inputs.tariff));
  EXPECT_GT(design.energy_cost, energy_cost(design.watts.at_load, inputs.tariff));
  const auto json = to_json(design);
  EXPECT_EQ(json["power_wall_load_W"], to_watts(design.wall->at_load));
  EXPECT_EQ(json["power_wall_slowest_W"], to_watts(design.wall->slowest));
  EXPECT_EQ(json["power_lost_in_supplies_W"], to_watts(design.wall->lost));
}

TEST(Wall, IsNotKnownOfAPartWithoutASupply) {
  const Inputs inputs = inputs_of(8, "bare");
  const Design design = design_of(kFour, inputs, watts(47));
  EXPECT_EQ(design.wall, std::nullopt);
  EXPECT_EQ(design.energy_cost, energy_cost(design.watts.at_load, inputs.tariff));
  EXPECT_FALSE(to_json(design).contains("power_wall_load_W"));
}

// Of eight hosts five are planned: two switches have two, one has one, and one has none.
TEST(Wall, CountsSwitchesByTheirPorts) {
  const Design design = design_of(kFour, inputs_of(5, "fed"), watts(47));
  EXPECT_EQ(design.parts.switch_kinds, (std::vector<SwitchKind>{{0, 3, 1}, {1, 3, 1}, {2, 3, 2}}));
}

// 41 W of a chip with five links and 6 W of modules.
TEST(Wall, RefusesSuppliesThatAreTooSmallForTheModules) {
  const Inputs inputs = with_modules(inputs_of(8, "fed"));
  const auto refused = evaluate(kFour, inputs, library(watts(23)));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().front().message,
            "'fed' draws 47W with the modules in its ports, more than the 46W that its supplies "
            "are rated for");
  EXPECT_TRUE(evaluate(kFour, inputs, library(milliwatts(23'500))));
}

// They share the lit ports: each draws the mean power of all.
TEST(Wall, ChipsOfAChassisAreAllTheMeanOne) {
  const Candidate chassis{"chassis", "clos_chassis", {{"hosts", "1000"}}};
  const Design design = design_of(chassis, inputs_of(1000, "fed"), watts(72));
  const Power each = scale(design.watts.at_load, Ratio(1, design.parts.chips));
  const power::SwitchSupply supply(supply_part().efficiency, watts(72), 2);
  EXPECT_EQ(design.wall->lost, (supply.at_wall(each) - each) * design.parts.chips);
}

// All links of 36 + 18 full switches at half power: 54 W of 144 W are at 0.4 + 0.375.
TEST(Wall, SavesWhatLinksDoAtAnotherEfficiency) {
  const Inputs inputs = inputs_of(648, "fed");
  const Design design = design_of(kTwoLevels, inputs, watts(72));
  const auto saved = links_save_at_wall(design.parts, inputs, Ratio(1, 2), library(watts(72)));
  EXPECT_EQ(saved.value(), (watts(80) - microwatts(69'677'420)) * 54);
  EXPECT_EQ(
      links_save_at_wall(design.parts, inputs_of(648, "bare"), Ratio(1, 2), library(watts(72)))
          .value(),
      std::nullopt);
}

SleepPotential at_ten_percent(const std::string& part) {
  const Inputs inputs = inputs_of(648, part);
  const Design design = design_of(kTwoLevels, inputs, watts(72));
  return sleep_potential(design, Ratio(1, 10), inputs, library(watts(72))).value();
}

// All 54 switches draw 72 W of 144, 80 W at the wall. 15 of 18 spines are off. Of the 583 links
// that sleep 540 are theirs, and 43 of 108 are left: a leaf has 15 ends asleep and 43/108 of 3, so
// it draws 72 - 0.9 x 16.194 = 57.425 W, 71.890459 W at the wall; an awake spine 43/108 of 36, 59.1
// W and 72.92545 W.
TEST(SleepPotential, AtTheWallIsThatOfEachSwitchAtItsLoad) {
  const SleepPotential at = at_ten_percent("fed");
  EXPECT_EQ(at.network, watts(72 * 54));
  EXPECT_EQ(at.saved(), milliwatts(15 * 72'000 + 36 * 14'575 + 3 * 12'900));
  ASSERT_TRUE(at.wall);
  EXPECT_EQ(at.wall->network, watts(80 * 54));
  EXPECT_EQ(at.wall->saved, microwatts(15 * 80'000'000 + 36 * (80'000'000 - 71'890'459) +
                                       3 * (80'000'000 - 72'925'450)));
  EXPECT_EQ(at.saved_of_bill(), at.wall->saved);
}

// The spines stay on and draw 72 - 32.4 - 24 = 15.6 W, and lose 28.8 / 0.6 - 28.8 = 19.2 W as at a
// fifth of their load.
TEST(SleepPotential, AtTheWallOfGroupsKeepsTheLossOfTheSupplies) {
  const SleepPotential at = at_ten_percent("grouped");
  ASSERT_TRUE(at.wall);
  EXPECT_EQ(at.saved(), milliwatts(15 * (32'400 + 24'000) + 36 * 14'575 + 3 * 12'900));
  EXPECT_EQ(at.wall->saved,
            microwatts(15 * (80'000'000 - 34'800'000) + 36 * (80'000'000 - 71'890'459) +
                       3 * (80'000'000 - 72'925'450)));
}

// With 2 W in each optical port a leaf draws 36 W more and a spine 72 W, asleep or awake: emptied
// spines stay on. A leaf goes from 108 W to 93.425 W, an awake spine from 144 W to 131.1 W, others
// to 87.6 W.
TEST(SleepPotential, AtTheWallHasTheModulesOfSwitchesThatStayOn) {
  const Inputs inputs = with_modules(inputs_of(648, "grouped"));
  const Design design = design_of(kTwoLevels, inputs, watts(72));
  ASSERT_EQ(design.parts.optical_links, 648);
  const auto at = sleep_potential(design, Ratio(1, 10), inputs, library(watts(72))).value();
  EXPECT_EQ(at.wall->saved,
            microwatts(15 * (180'000'000 - 99'734'346) + 36 * (127'058'824 - 107'355'066) +
                       3 * (180'000'000 - 160'285'278)));
}

TEST(SleepPotential, AtTheWallIsNotKnownWithoutASupply) {
  const SleepPotential at = at_ten_percent("bare");
  EXPECT_EQ(at.wall, std::nullopt);
  EXPECT_EQ(at.saved_of_bill(), at.saved());
}

}  // namespace
}  // namespace ebb::plan
