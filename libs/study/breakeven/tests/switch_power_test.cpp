// SPDX-License-Identifier: Apache-2.0
#include "ebb/breakeven/switch_power.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace ebb::breakeven {
namespace {

using namespace std::chrono_literals;
using power::Sourced;

// Ten ports of 10 Gb/s: base 60 W, 1 W plugged + 3 W enabled and up each, 2 W per port at full
// load.
power::Part box() {
  power::PortSetup setup;
  setup.name = "10G";
  setup.rate = gigabits_per_second(10);
  setup.port = {watts(2)};
  setup.plugged = {watts(1)};
  setup.up = {watts(1)};
  setup.energy_per_bit = Sourced<Energy>{picojoules(200)};
  power::Box body{.ports = 10, .base = {watts(60)}, .setups = {setup}, .tables = {}};
  return {"box", "", body};
}

power::Part chip(std::optional<std::string> rate_table) {
  return {"chip", "",
          power::Chip{.ports = 10,
                      .port_rate = gigabits_per_second(10),
                      .power = {watts(100)},
                      .link_share = {Ratio(3, 5)},
                      .rate_table = std::move(rate_table)}};
}

power::Part rate_table() {
  power::RateTable body;
  body.steps = {{gigabits_per_second(10), 1, {Ratio(1, 1)}}};
  body.sleep = Sourced<Ratio>{Ratio(1, 10)};
  body.wake = Sourced<Duration>{10us};
  return {"rate_table", "", body};
}

// Idle for 200 us of 1 ms, in one gap.
HostChannels channels() { return {{{TimePoint(200us), 800us}}, TimePoint(1ms)}; }

SwitchSetup only_setup(const power::Part& part, const power::Library& library) {
  const auto setups = setups_of(part, library);
  EXPECT_EQ(setups.size(), 1U);
  return setups.at(0);
}

TEST(SwitchPower, OfABoxIsBasePortsAndTraffic) {
  const power::Part part = box();
  const SwitchSetup setup = only_setup(part, {});
  const SwitchPower half = setup.power_at(Ratio(1, 2));
  EXPECT_EQ(half.chassis, watts(60));
  EXPECT_EQ(half.links, watts(40));
  EXPECT_EQ(half.traffic, watts(10));
  EXPECT_EQ(setup.ports(), 10);
  EXPECT_EQ(setup.rate(), gigabits_per_second(10));
  EXPECT_EQ(setup.saved_by_shutdown_of_a_port(), watts(3));
}

TEST(SwitchPower, CountsThePortsThatTakeTheSetup) {
  power::Part part = box();
  std::get<power::Box>(part.body).setups[0].ports = 4;
  const SwitchSetup setup = only_setup(part, {});
  EXPECT_EQ(setup.ports(), 4);
  EXPECT_EQ(setup.power_at(Ratio(1, 1)).links, watts(16));
  EXPECT_EQ(setup.power_at(Ratio(1, 1)).traffic, watts(8));
}

// Waking in 1 us after a timeout of 1 us, ports sleep 199 of 1000 us: 19.9 % of their 40 W.
TEST(SwitchSavings, OfABoxWithoutSleepIsNothingToday) {
  const power::Part part = box();
  const SwitchSavings saved = savings(only_setup(part, {}), channels(), Ratio(4, 5));
  EXPECT_EQ(saved.own, std::nullopt);
  EXPECT_EQ(saved.drawn.total(), watts(116));
  EXPECT_EQ(saved.quick_sleep, milliwatts(7960));
  EXPECT_EQ(saved.ideal, watts(116) - watts(96));  // 80 % of the 120 W at full load
  EXPECT_DOUBLE_EQ(saved.share(watts(58)), 0.5);
}

// Own rate_table: after 10 us asleep for 190 of 1000 us at a tenth of the power of 60 W.
TEST(SwitchSavings, OfAChipFollowsItsRateTable) {
  power::Library library;
  library.add_part(rate_table());
  const power::Part part = chip("rate_table");
  const SwitchSavings saved = savings(only_setup(part, library), channels(), Ratio(4, 5));
  EXPECT_EQ(saved.drawn.chassis, watts(40));
  EXPECT_EQ(saved.drawn.links, watts(60));
  EXPECT_EQ(saved.own, milliwatts(10'260));
  EXPECT_EQ(saved.quick_sleep, milliwatts(11'940));
  EXPECT_EQ(saved.ideal, watts(20));
}

TEST(SwitchSavings, OfAChipWithoutRateTableIsNothingToday) {
  const power::Part part = chip(std::nullopt);
  EXPECT_EQ(savings(only_setup(part, {}), channels(), Ratio(4, 5)).own, std::nullopt);
}

TEST(SwitchSavings, IsNotKnownWhereTheLinksAreInsideOneFigure) {
  power::Part part = box();
  power::PortSetup& setup = std::get<power::Box>(part.body).setups[0];
  setup.port = setup.plugged = setup.up = {};
  const SwitchSetup only = only_setup(part, {});
  EXPECT_FALSE(only.links_known());
  EXPECT_EQ(only.saved_by_shutdown_of_a_port(), std::nullopt);
  EXPECT_EQ(savings(only, channels(), Ratio(4, 5)).quick_sleep, std::nullopt);
}

TEST(SwitchSetups, OfOtherPartsDoNotExist) { EXPECT_TRUE(setups_of(rate_table(), {}).empty()); }

}  // namespace
}  // namespace ebb::breakeven
