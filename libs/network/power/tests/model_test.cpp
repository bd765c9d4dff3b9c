// SPDX-License-Identifier: Apache-2.0
#include "ebb/power/model.hpp"

#include "ebb/power/library.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace ebb::power {
namespace {

Chip chip_of(Power power, Ratio share) {
  return {
      .ports = 36, .port_rate = gigabits_per_second(40), .power = {power}, .link_share = {share}};
}

RateTable two_steps() {
  return {.steps = {{gigabits_per_second(10), 1, {Ratio(42, 100)}},
                    {gigabits_per_second(40), 4, {Ratio(1, 1)}}}};
}

TEST(ChipPower, FollowsTheLinksWhenAllPowerIsInThem) {
  const Chip chip = chip_of(watts(100), Ratio(1, 1));
  EXPECT_EQ(chip_power(chip), watts(100));
  EXPECT_EQ(chip_power(chip, slowest(two_steps())), watts(42));
  EXPECT_EQ(chip_power(chip, Ratio(1, 16)), milliwatts(6'250));
  EXPECT_EQ(core_power(chip), watts(0));
}

TEST(ChipPower, KeepsItsCoreWhateverTheLinksDo) {
  const Chip chip = chip_of(watts(450), Ratio(1, 2));
  EXPECT_EQ(chip_power(chip), watts(450));
  EXPECT_EQ(chip_power(chip, Ratio(42, 100)), milliwatts(319'500));  // 225 + 0.42 * 225
  EXPECT_EQ(chip_power(chip, Ratio(0, 1)), watts(225));
  EXPECT_EQ(core_power(chip), watts(225));
}

TEST(ChipPower, OfOneLinkIsItsPortsShare) {
  const Chip chip = chip_of(watts(90), Ratio(8, 10));
  EXPECT_EQ(link_power(chip), watts(2));  // 90 * 0.8 / 36
  EXPECT_EQ(link_power(chip, Ratio(1, 4)), milliwatts(500));
}

RC_GTEST_PROP(ChipPower, CoreAndLinksMakeTheChip, ()) {
  const auto power = microwatts(*rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000));
  const auto share = Ratio(*rc::gen::inRange(0, 1001), 1000);
  const auto relative = Ratio(*rc::gen::inRange(0, 1001), 1000);
  const Chip chip = chip_of(power, share);
  RC_ASSERT(chip_power(chip) == power);
  const auto missing =
      chip_power(chip, relative) - core_power(chip) - 36 * link_power(chip, relative);
  RC_ASSERT(missing >= watts(0));
  RC_ASSERT(missing < microwatts(36));
}

// 64 ports of 800 Gb/s on eight lanes, 450 W of which half is in the links.
Chip chip_of_lanes() {
  return {.ports = 64,
          .port_rate = gigabits_per_second(800),
          .power = {watts(450)},
          .link_share = {Ratio(1, 2)},
          .rate_table = "whole ports",
          .lanes = 8,
          .breakout = {{2, gigabits_per_second(400)},
                       {4, gigabits_per_second(200)},
                       {4, gigabits_per_second(100)}}};
}

TEST(Breakout, MakesMorePortsOfTheSameLanesAndPower) {
  const Chip halves = at_rate(chip_of_lanes(), gigabits_per_second(400));
  EXPECT_EQ(halves.ports, 128);
  EXPECT_EQ(halves.port_rate, gigabits_per_second(400));
  EXPECT_EQ(halves.lanes, 4);
  EXPECT_EQ(chip_power(halves), watts(450));
  EXPECT_EQ(core_power(halves), watts(225));
  // 225 W in 512 lanes; a port of 800 Gb/s has eight of them, one of 400 Gb/s four.
  EXPECT_EQ(link_power(chip_of_lanes()), microwatts(3'515'625));
  EXPECT_EQ(link_power(halves), microwatts(3'515'625 / 2));
  EXPECT_FALSE(halves.rate_table) << "that of whole ports";
}

TEST(Breakout, TakesTheLeastRateThatIsEnough) {
  const auto ports = [](std::int64_t gigabits) {
    return at_rate(chip_of_lanes(), gigabits_per_second(gigabits)).ports;
  };
  EXPECT_EQ(ports(800), 64);
  EXPECT_EQ(ports(401), 64) << "no breakout carries it: the port runs whole";
  EXPECT_EQ(ports(300), 128);
  EXPECT_EQ(ports(200), 256);
  EXPECT_EQ(ports(100), 256);
  EXPECT_EQ(at_rate(chip_of_lanes(), gigabits_per_second(40)).port_rate, gigabits_per_second(100));
  EXPECT_EQ(at_rate(chip_of_lanes(), gigabits_per_second(800)), chip_of_lanes());
}

TEST(Breakout, OfABoxSharesThePowerOfAPort) {
  Box box{.ports = 64, .base = {watts(913)}, .setups = {}, .tables = {}};
  box.lanes = 8;
  box.breakout = chip_of_lanes().breakout;
  PortSetup whole{.name = "800G", .medium = "optical", .rate = gigabits_per_second(800)};
  whole.port = {watts(4)};
  whole.plugged = {watts(16)};
  PortSetup half = whole;
  half.name = "400G";
  half.rate = gigabits_per_second(400);
  half.plugged = {watts(9)};
  box.setups = {whole, half};
  EXPECT_EQ(ports_at(box, gigabits_per_second(800)), 64);
  EXPECT_EQ(ports_at(box, gigabits_per_second(200)), 256);
  const auto at = [&](std::int64_t gigabits) {
    return *setup_at(box, "optical", gigabits_per_second(gigabits));
  };
  EXPECT_EQ(at(800), whole);
  EXPECT_EQ(at(400), half) << "its own numbers, where there are some";
  box.setups = {whole};
  EXPECT_EQ(at(400).plugged.value, watts(8));
  EXPECT_EQ(at(400).port.value, watts(2));
  EXPECT_EQ(at(200).plugged.value, watts(4));
  EXPECT_EQ(at(200).rate, gigabits_per_second(200));
  EXPECT_FALSE(setup_at(box, "electrical", gigabits_per_second(400)));
}

TEST(Breakout, ABoxIsItsChipAndWhatIsAroundIt) {
  Library library;
  library.add_source({"test", "hand-made", "2026", Evidence::assumed, "for this test"});
  library.add_part({"chip", "", chip_of_lanes()});
  Box box{.ports = 64, .base = {watts(913)}, .setups = {}, .tables = {}};
  EXPECT_FALSE(as_chip({"box", "", box}, library)) << "nothing is known of its links";
  box.chip = "chip";
  const auto inside = as_chip({"box", "", box}, library);
  ASSERT_TRUE(inside);
  EXPECT_EQ(chip_power(*inside), watts(913));
  EXPECT_EQ(core_power(*inside), watts(913 - 225));
  EXPECT_EQ(link_power(*inside), link_power(chip_of_lanes()));
}

TEST(RateTables, FindTheStepOfARate) {
  const RateTable rate_table = two_steps();
  ASSERT_NE(step_at(rate_table, gigabits_per_second(10)), nullptr);
  EXPECT_EQ(step_at(rate_table, gigabits_per_second(10))->lanes, 1);
  EXPECT_EQ(step_at(rate_table, gigabits_per_second(20)), nullptr);
}

TEST(RateTables, ChangeInTheTimeOfTheirCircuits) {
  RateTable rate_table = two_steps();
  EXPECT_EQ(change_time(rate_table, rate_table.steps[0], rate_table.steps[1]), std::nullopt);
  rate_table.rate_change = Sourced<Duration>{std::chrono::nanoseconds(100)};
  EXPECT_EQ(change_time(rate_table, rate_table.steps[0], rate_table.steps[1]),
            std::chrono::nanoseconds(100));
  rate_table.lane_change = Sourced<Duration>{std::chrono::microseconds(3)};
  EXPECT_EQ(change_time(rate_table, rate_table.steps[0], rate_table.steps[1]),
            std::chrono::microseconds(3));
}

TEST(RateTables, ChangeNoFasterThanTheirSupply) {
  RateTable rate_table = two_steps();
  rate_table.rate_change = Sourced<Duration>{std::chrono::nanoseconds(400)};
  rate_table.supply_per_us = Sourced<Voltage>{millivolts(100)};
  rate_table.steps[0].supply = Sourced<Voltage>{millivolts(808)};
  rate_table.steps[1].supply = Sourced<Voltage>{millivolts(1800)};
  const auto swing = std::chrono::nanoseconds(9'920);  // 992 mV, both up and down
  EXPECT_EQ(change_time(rate_table, rate_table.steps[0], rate_table.steps[1]), swing);
  EXPECT_EQ(change_time(rate_table, rate_table.steps[1], rate_table.steps[0]), swing);
  EXPECT_EQ(change_time(rate_table, rate_table.steps[1], rate_table.steps[1]),
            std::chrono::nanoseconds(400));
  rate_table.supply_per_us = Sourced<Voltage>{millivolts(3)};
  EXPECT_EQ(change_time(rate_table, rate_table.steps[0], rate_table.steps[1]),
            Duration(330'666'667));
}

// Cisco Nexus 9336C-FX2 with 100G LR, as measured.
Box nexus() {
  PortSetup lr{.name = "100G LR", .medium = "optical", .rate = gigabits_per_second(100)};
  lr.port = {microwatts(1'903'400)};
  lr.plugged = {microwatts(2'825'500)};
  lr.up = {microwatts(-62'600)};
  lr.energy_per_bit = Sourced<Energy>{attojoules(11'352'000)};
  lr.energy_per_packet = Sourced<Energy>{attojoules(15'242'000'000)};
  return {.ports = 36, .base = {milliwatts(284'965)}, .setups = {lr}};
}

TEST(BoxPower, OfTheNexusAtFullLoadByHand) {
  const Box box = nexus();
  const PortUse all[] = {{&box.setups[0], 36, Ratio(1, 1), bytes(1500)}};
  // 284.965 + 36 * (1.9034 + 2.8255 - 0.0626 + 11.352e-12 * 1e11 + 15.242e-9 * 1e11 / 12000)
  EXPECT_EQ(box_power(box, all), microwatts(498'391'600));
  // The traffic terms, 1.1352 W and 0.12701667 W per port, once more.
  EXPECT_EQ(box_power(box, all, Counting::twice), microwatts(543'831'400));
}

TEST(BoxPower, WithoutTrafficOrPorts) {
  const Box box = nexus();
  EXPECT_EQ(box_power(box, {}), milliwatts(284'965));
  const PortUse idle[] = {{&box.setups[0], 2}};
  EXPECT_EQ(box_power(box, idle), microwatts(284'965'000 + 2 * 4'666'300));
}

TEST(BoxPower, AShutDownPortStillFeedsItsModule) {
  const Box box = nexus();
  const PortUse down[] = {{&box.setups[0], 10, Ratio(1, 1), bytes(1500), PortState::plugged},
                          {&box.setups[0], 26, Ratio(1, 1), bytes(1500), PortState::unused}};
  EXPECT_EQ(box_power(box, down), microwatts(284'965'000 + 10 * 2'825'500));
}

TEST(BoxPower, SmallPacketsCostMore) {
  const Box box = nexus();
  const PortUse use{&box.setups[0], 1, Ratio(1, 2), bytes(64)};
  // 4.6663 + 0.5 * (1.1352 + 15.242e-9 * 1e11 / 512)
  EXPECT_EQ(port_power(use), microwatts(6'722'377));
}

TEST(BoxPower, LeavesOutWhatWasNotMeasured) {
  Box box = nexus();
  box.setups[0].energy_per_bit.reset();
  box.setups[0].energy_per_packet.reset();
  EXPECT_EQ(port_power({&box.setups[0], 1, Ratio(1, 1)}), microwatts(4'666'300));
}

RC_GTEST_PROP(BoxPower, DependsNeitherOnOrderNorOnGrouping, ()) {
  const Box box = nexus();
  std::vector<PortUse> uses;
  for (int i = 0; i < 8; ++i) {
    uses.push_back({&box.setups[0], *rc::gen::inRange(1, 5),
                    Ratio(*rc::gen::inRange(0, 1001), 1000), bytes(*rc::gen::inRange(64, 9000))});
  }
  std::vector<PortUse> single;
  for (const PortUse& use : uses) {
    PortUse one = use;
    one.count = 1;
    for (int i = 0; i < use.count; ++i) single.push_back(one);
  }
  std::reverse(single.begin(), single.end());
  RC_ASSERT(box_power(box, uses) == box_power(box, single));
}

// By hand: 1,000 entries of 100 bits at 1 fJ and 1 pJ each are 1.1 nJ a search; 800 Mb/s in packets
// of 100 bytes are a million searches a second, so 1.1 mW; 100,000 bits at 10 mW a million leak 1
// mW.
TEST(TablePower, IsSearchesAndLeakage) {
  const ForwardingTable table{
      "TCAM", {bits(100)}, {attojoules(1'000)}, {picojoules(1)}, {milliwatts(10)}};
  EXPECT_EQ(search_energy(table, 1'000), picojoules(1'100));
  EXPECT_EQ(table_leakage(table, 1'000), milliwatts(1));
  const Searches million{bits_per_second(800'000'000), bytes(100)};
  EXPECT_EQ(table_power(table, 1'000, million), microwatts(2'100));
  EXPECT_EQ(table_power(table, 2'000, million), microwatts(4'200));
  EXPECT_EQ(table_power(table, 1'000, {bits_per_second(0), bytes(100)}), milliwatts(1));
  EXPECT_EQ(table_power(table, 0, million), watts(0));
}

Library two_parts() {
  Library library;
  library.add_part({.name = "card", .body = Nic{}});
  library.add_part({.name = "link", .body = RateTable{}});
  return library;
}

TEST(Library, FindsByNameOrNamesTheNearest) {
  const Library library = two_parts();
  ASSERT_TRUE(library.find("card"));
  EXPECT_EQ(kind_of(**library.find("card")), "nic");
  EXPECT_EQ(library.find("cart").error().front().message,
            "unknown part 'cart'; did you mean 'card'?");
}

TEST(Library, RefusesAPartOfAnotherKind) {
  const Library library = two_parts();
  EXPECT_TRUE(library.find_as<RateTable>("link"));
  EXPECT_EQ(library.find_as<Chip>("link").error().front().message,
            "'link' is a rate_table, which does not fit here");
}

TEST(Library, KeepsEqualSourcesOnce) {
  Library library;
  const Source a{.id = "a", .title = "t", .date = "2010"};
  EXPECT_EQ(library.add_source(a), 0U);
  EXPECT_EQ(library.add_source({.id = "b"}), 1U);
  EXPECT_EQ(library.add_source(a), 0U);
  EXPECT_EQ(library.sources().size(), 2U);
}

TEST(Evidence, HasAName) {
  EXPECT_EQ(to_text(Evidence::measured), "measured");
  EXPECT_EQ(to_text(Evidence::assumed), "assumed");
}

}  // namespace
}  // namespace ebb::power
