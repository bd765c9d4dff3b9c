// SPDX-License-Identifier: Apache-2.0
#include "ebb/power/power_groups.hpp"

#include "ebb/power/model.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace ebb::power {
namespace {

using namespace std::chrono_literals;

PowerGroup group(const std::string& name, std::optional<int> ports, Power power,
                 std::optional<std::string> after = std::nullopt) {
  return {.name = name,
          .ports = ports,
          .power = {power},
          .asleep = Sourced<Power>{watts(1)},
          .wake = Sourced<Duration>{1ms},
          .after = std::move(after)};
}

std::vector<std::string> mistakes_of(const std::vector<PowerGroup>& groups, int ports) {
  std::vector<std::string> all;
  for (const GroupMistake& mistake : validate(groups, ports)) all.push_back(mistake.message);
  return all;
}

using Texts = std::vector<std::string>;

// 32 ports on line cards of 8: 4 x 20 + 100 W awake, 4 x 1 + 1 W asleep.
TEST(PowerGroups, AreAsManyAsServeAllPorts) {
  const std::vector<PowerGroup> groups = {group("card", 8, watts(20), "chip"),
                                          group("chip", {}, watts(100))};
  EXPECT_EQ(mistakes_of(groups, 32), Texts{});
  EXPECT_EQ(count_of(groups[0], 32), 4);
  EXPECT_EQ(count_of(groups[1], 32), 1);
  EXPECT_EQ(awake_power(groups, 32), watts(180));
  EXPECT_EQ(asleep_power(groups, 32), watts(5));
  EXPECT_TRUE(is_named(groups, 1));
  EXPECT_FALSE(is_named(groups, 0));
}

TEST(PowerGroups, ThatCannotSleepDrawWhatTheyDo) {
  PowerGroup fans = group("fans", {}, watts(30));
  fans.asleep.reset();
  fans.wake.reset();
  EXPECT_EQ(asleep_power(std::vector{fans}, 4), watts(30));
}

TEST(PowerGroups, CannotComeAfterThemselves) {
  EXPECT_EQ(mistakes_of({group("a", {}, watts(2), "b"), group("b", {}, watts(2), "a")}, 4),
            (Texts{"comes after itself: a, b, a", "comes after itself: b, a, b"}));
  EXPECT_EQ(mistakes_of({group("a", {}, watts(2), "a")}, 4), (Texts{"comes after itself: a, a"}));
}

TEST(PowerGroups, ServeWholeOnesOfWhatComesAfterThem) {
  EXPECT_EQ(mistakes_of({group("card", 4, watts(2)), group("chip", {}, watts(2), "card")}, 8),
            (Texts{"'card' serves 4 ports and 'chip' serves 8: one of these serves all ports of "
                   "whole ones of those"}));
}

TEST(PowerGroups, CannotSleepUnderOneThatDoesNot) {
  PowerGroup card = group("card", 4, watts(2), "chip");
  card.asleep.reset();
  card.wake.reset();
  EXPECT_EQ(mistakes_of({card, group("chip", {}, watts(2))}, 8),
            (Texts{"never sleeps, so 'chip', which it comes after, never would"}));
}

TEST(PowerGroups, NeedPowerAndTimeToSleep) {
  PowerGroup card = group("card", 4, watts(2));
  card.wake.reset();
  EXPECT_EQ(mistakes_of({card}, 8), (Texts{"a group that sleeps needs both 'asleep' and 'wake'"}));
}

// Ports of four lanes broken out into two: a card of 8 ports then serves 16.
TEST(PowerGroups, ServeThePortsThatTheirPortsAreBrokenOutInto) {
  const Chip chip{.ports = 32,
                  .port_rate = gigabits_per_second(400),
                  .power = {watts(300)},
                  .link_share = {Ratio(1, 2)},
                  .rate_table = {},
                  .lanes = 4,
                  .breakout = {{2, gigabits_per_second(200)}},
                  .groups = {group("card", 8, watts(20))}};
  const Chip split = at_rate(chip, gigabits_per_second(200));
  EXPECT_EQ(split.ports, 64);
  EXPECT_EQ(split.groups.front().ports, 16);
  EXPECT_EQ(awake_power(split.groups, split.ports), awake_power(chip.groups, chip.ports));
}

}  // namespace
}  // namespace ebb::power
