// SPDX-License-Identifier: Apache-2.0
// What can sleep, counted by hand on small networks.
#include "ebb/plan/sleep.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace ebb::plan {
namespace {

template <class T>
power::Sourced<T> known(T value) {
  return {value, 0};
}

// A box of 100 W whose ports draw 1 W, and modules 2 W; the same with groups: nine
// cards of 4 ports, 6 W each and 0.6 W asleep, and 30 W of a chip that sleeps at nothing.
power::Library library() {
  power::Library parts;
  parts.add_source({"test", "hand-made", "2026", power::Evidence::assumed, "for this test"});
  power::PortSetup copper{"DAC",
                          "electrical",
                          gigabits_per_second(40),
                          known(watts(1)),
                          known(watts(2)),
                          known(watts(0)),
                          {},
                          {}};
  power::PortSetup fibre = copper;
  fibre.name = "LR";
  fibre.medium = "optical";
  power::Box box{36, known(watts(100)), {copper, fibre}, {}};
  parts.add_part({"box", "", box});
  const auto wake = known(Duration(std::chrono::milliseconds(1)));
  box.groups = {{"card", 4, known(watts(6)), known(milliwatts(600)), wake, "chip"},
                {"chip", {}, known(watts(30)), known(watts(0)), wake, {}}};
  parts.add_part({"grouped", "", box});
  power::RateTable rates;
  rates.steps = {{gigabits_per_second(40), 1, known(Ratio(1, 1))}};
  rates.sleep = known(Ratio(1, 10));
  rates.wake = wake;
  parts.add_part({"sleepy", "", rates});
  parts.add_part(
      {"chip", "",
       power::Chip{36, gigabits_per_second(40), known(watts(72)), known(Ratio(1, 2)), "sleepy"}});
  return parts;
}

const Candidate kTwoLevels{
    "two", "clos", {{"levels", "2"}, {"ports", "36"}, {"hosts", "648"}, {"down", "18"}}};

Inputs inputs_of(std::int64_t hosts, const std::string& part) {
  Inputs inputs;
  inputs.hosts = hosts;
  inputs.parts.switch_part = part;
  return inputs;
}

SleepPotential potential(const Candidate& candidate, const Inputs& inputs, Ratio load) {
  const auto design = evaluate(candidate, inputs, library());
  EXPECT_TRUE(design) << to_string(design.error());
  const auto found = sleep_potential(*design, load, inputs, library());
  EXPECT_TRUE(found) << to_string(found.error());
  return *found;
}

SleepingPart part_of(const SleepPotential& all, const std::string& name) {
  for (const SleepingPart& part : all.parts) {
    if (part.name == name) return part;
  }
  ADD_FAILURE() << name;
  return {};
}

// 36 leaves with 18 hosts and a link to each of 18 spines. At 10 % a leaf needs 2 links for 1.8,
// and one to spare: 3 spines stay. At 30 % 6 + 1, at 50 % 9 + 1.
TEST(SleepPotential, EmptiesSpinesAllButOneMoreThanTheLoadNeeds) {
  const Inputs inputs = inputs_of(648, "box");
  EXPECT_EQ(potential(kTwoLevels, inputs, Ratio(1, 10)).switches, 15);
  EXPECT_EQ(potential(kTwoLevels, inputs, Ratio(3, 10)).switches, 11);
  EXPECT_EQ(potential(kTwoLevels, inputs, Ratio(1, 2)).switches, 8);
  EXPECT_EQ(potential(kTwoLevels, inputs, Ratio(1, 1)).switches, 0);
}

// At 10 % 65 of the 648 links between switches stay awake: 583 sleep, 540 of them at the 15 spines
// that are off. Each end saves 1 W, and in a switch that is off the 2 W of its module.
TEST(SleepPotential, OfBoxesIsPortsModulesAndWholeSwitches) {
  const Inputs inputs = inputs_of(648, "box");
  const SleepPotential at = potential(kTwoLevels, inputs, Ratio(1, 10));
  EXPECT_EQ(at.links, 648);
  EXPECT_EQ(at.links_asleep, 583);
  EXPECT_EQ(part_of(at, "links between switches"),
            (SleepingPart{"links between switches", watts(2 * 648), watts(2 * 583)}));
  EXPECT_EQ(part_of(at, "links of hosts"), (SleepingPart{"links of hosts", watts(648), Power{}}));
  EXPECT_EQ(part_of(at, "modules of switches").saved, watts(540 * 2));
  EXPECT_EQ(part_of(at, "switches without ports"),
            (SleepingPart{"switches without ports", watts(5'400), watts(1'500)}));
  EXPECT_EQ(at.saved(), watts(2 * 583 + 540 * 2 + 1'500));
  Power sum;
  for (const SleepingPart& part : at.parts) sum += part.all;
  EXPECT_EQ(sum, at.network) << "no cards are named, and the boxes draw nothing for traffic";
}

// The 15 spines stay on: nine cards of each save 5.4 W and its chip 30 W; modules draw on.
TEST(SleepPotential, OfGroupsIsWhatTheySave) {
  const Inputs inputs = inputs_of(648, "grouped");
  const SleepPotential at = potential(kTwoLevels, inputs, Ratio(1, 10));
  EXPECT_EQ(part_of(at, "card").all, watts(6) * (9 * 54));
  EXPECT_EQ(part_of(at, "card").saved, milliwatts(5'400) * (9 * 15));
  EXPECT_EQ(part_of(at, "chip"), (SleepingPart{"chip", watts(30 * 54), watts(30 * 15)}));
  EXPECT_EQ(part_of(at, "modules of switches").saved, Power{});
  EXPECT_EQ(part_of(at, "switches without ports").saved, Power{});
  EXPECT_EQ(part_of(at, "links between switches").saved, watts(2 * 583));
}

// 32 edge switches with 4 hosts, 4 + 4 ports in each of 8 pods, 16 cores. At 10 % an edge switch
// needs one link for 0.4 and one to spare: 2 of 4 switches stay in each pod. Each of these carries
// 4 x 0.4 / 2 = 0.8 and keeps 2 of 4 links: of the cores 8 have no awake switch below, and of the
// others each four keep two. At 50 % 3 switches stay in a pod, which carry 4 x 2 / 3 and need all
// four links; only the cores of the fourth are left over.
TEST(SleepPotential, GoesFromTierToTier) {
  const Candidate three{
      "three", "clos", {{"levels", "3"}, {"ports", "8"}, {"hosts", "128"}, {"down", "4"}}};
  const Inputs inputs = inputs_of(128, "box");
  EXPECT_EQ(potential(three, inputs, Ratio(1, 10)).switches, 16 + 8 + 4);
  EXPECT_EQ(potential(three, inputs, Ratio(1, 2)).switches, 8 + 4);
}

// All switches have hosts, so only links sleep: 8 complete graphs of four switches have 6 links
// each.
TEST(SleepPotential, OfNetworksWhoseSwitchesAllHaveHostsIsThatOfLinks) {
  const Candidate flat{"flat", "fbfly", {{"hosts", "2"}, {"dims", "4x4"}, {"parallel", "1"}}};
  const SleepPotential at = potential(flat, inputs_of(32, "chip"), Ratio(3, 10));
  EXPECT_EQ(at.switches, 0);
  EXPECT_EQ(at.links, 2 * 4 * 6);
  EXPECT_EQ(at.links_asleep, 48 - 15) << "14.4 links are needed";
  // A link end draws 72 W / 2 / 36 = 1 W, and a tenth of it asleep.
  EXPECT_EQ(at.saved(), milliwatts(900) * (2 * 33));
}

// Two spines are the least: no leaf could lose one.
TEST(SleepPotential, LeavesASpare) {
  const Candidate two{
      "two", "clos", {{"levels", "2"}, {"ports", "4"}, {"hosts", "8"}, {"down", "2"}}};
  EXPECT_EQ(potential(two, inputs_of(8, "box"), Ratio(1, 100)).switches, 0);
}

}  // namespace
}  // namespace ebb::plan
