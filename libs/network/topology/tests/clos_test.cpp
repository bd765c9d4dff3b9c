// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace ebb::topology {
namespace {

const RateTable kRateTable = {gigabits_per_second(40)};

TEST(Clos, ExascaleNetworkHasThePublishedSwitches) {
  const ParameterTexts parameters = {{"ports", "72"}, {"levels", "4"}, {"hosts", "303264"}};
  const auto known = properties("clos", parameters);
  ASSERT_TRUE(known) << to_string(known.error());
  EXPECT_EQ(known->switches, 29'484);
  EXPECT_EQ(known->hosts, 303'264);
  EXPECT_EQ(known->switch_ports, 72);
  EXPECT_EQ(known->groups, 234);
  EXPECT_EQ(known->access_switches_per_group, 36);
  EXPECT_EQ(known->hosts_per_access_switch, 36);
  EXPECT_EQ(known->bisection_links, 303'264 / 2);
  EXPECT_EQ(known->oversubscription, 1.0);
}

TEST(Clos, ExascaleLevelsAreWiredAsPublished) {
  const auto graph =
      build("clos", {{"ports", "72"}, {"levels", "4"}, {"hosts", "303264"}}, kRateTable);
  ASSERT_TRUE(graph);
  // 8,424 switches in each of the first three levels, half down and half up, and 4,212 on top.
  for (std::uint32_t s = 0; s < graph->switch_count(); ++s) {
    const auto ports = graph->outputs(graph->switch_node(s));
    ASSERT_EQ(ports.size(), 72U) << s;
    std::uint32_t up = 0;
    for (const ChannelId port : ports) {
      const NodeId other = graph->target(port);
      if (graph->is_host(other)) continue;
      if (index(other) < s) continue;
      ++up;
      ASSERT_EQ(index(other) / 8'424, s / 8'424 + 1) << s;
    }
    ASSERT_EQ(up, s < 3 * 8'424 ? 36U : 0U) << s;
  }
}

TEST(Clos, EveryTopSwitchReachesEveryBlockOfThePartialNetwork) {
  const auto graph =
      build("clos", {{"ports", "72"}, {"levels", "4"}, {"hosts", "303264"}}, kRateTable);
  ASSERT_TRUE(graph);
  const std::uint32_t third = 2 * 8'424;
  const std::uint32_t top = 3 * 8'424;
  for (std::uint32_t s = top; s < graph->switch_count(); ++s) {
    std::set<std::uint32_t> blocks;
    for (const ChannelId port : graph->outputs(graph->switch_node(s)))
      blocks.insert((index(graph->target(port)) - third) / 1'296);
    ASSERT_EQ(blocks.size(), 7U) << s;
  }
}

TEST(Clos, OversubscribedLeavesHaveFewerUplinks) {
  const auto known =
      properties("clos", {{"ports", "8"}, {"levels", "3"}, {"hosts", "192"}, {"down", "6"}});
  ASSERT_TRUE(known) << to_string(known.error());
  // 32 leaves with 2 uplinks; pods of 4 leaves with 2 switches; 64 links to 8 top switches.
  EXPECT_EQ(known->switches, 32 + 16 + 8);
  EXPECT_EQ(known->groups, 8);
  EXPECT_EQ(known->oversubscription, 3.0);
  EXPECT_EQ(known->bisection_links, 32);
}

TEST(Clos, RefusesAPartialBlockThatCannotBeReachedAndNamesWhatWorks) {
  const auto known = properties("clos", {{"ports", "72"}, {"levels", "4"}, {"hosts", "45370"}});
  ASSERT_FALSE(known);
  const std::string message = to_string(known.error());
  EXPECT_NE(message.find("level 2 has"), std::string::npos) << message;
  for (const std::string_view hosts : {"45360", "46656"}) {
    EXPECT_NE(message.find(hosts), std::string::npos) << message;
    EXPECT_TRUE(
        properties("clos", {{"ports", "72"}, {"levels", "4"}, {"hosts", std::string(hosts)}}));
  }
}

TEST(Clos, RefusesMoreHostsThanTheLevelsHold) {
  EXPECT_TRUE(properties("clos", {{"ports", "8"}, {"levels", "3"}, {"hosts", "128"}}));
  const auto known = properties("clos", {{"ports", "8"}, {"levels", "3"}, {"hosts", "129"}});
  ASSERT_FALSE(known);
  EXPECT_NE(to_string(known.error()).find("at most 128 hosts"), std::string::npos);
}

TEST(Clos, RefusesOddPortsAndLeavesWithoutUplinks) {
  EXPECT_FALSE(properties("clos", {{"ports", "7"}, {"hosts", "10"}}));
  EXPECT_FALSE(properties("clos", {{"ports", "8"}, {"hosts", "10"}, {"down", "8"}}));
}

TEST(ClosChassis, PublishedNetworkHas8235Chips) {
  const auto known = properties("clos_chassis", {{"hosts", "32768"}});
  ASSERT_TRUE(known);
  EXPECT_EQ(known->switches, 8'235);
  EXPECT_EQ(known->switches / 27, 203 + 102);
  EXPECT_EQ(known->groups, 203);
  EXPECT_EQ(known->switch_ports, 36);
  EXPECT_EQ(known->links, 2 * 32'768 + 305 * 324);
}

TEST(ClosChassis, ChassisHaveBackplanesInsideAndNoMorePortsThanTheyHave) {
  const auto graph = build("clos_chassis", {{"hosts", "32768"}}, {gigabits_per_second(40)});
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->chips_per_box(), 27U);
  std::map<std::uint32_t, std::uint32_t> external;  // chip -> ports that leave the chassis
  for (const Link& link : graph->links()) {
    if (graph->is_host(link.a)) {
      ++external[index(link.b)];
      continue;
    }
    const bool inside = index(link.a) / 27 == index(link.b) / 27;
    ASSERT_EQ(inside, link.medium == Medium::backplane);
    if (inside) continue;
    ++external[index(link.a)];
    ++external[index(link.b)];
  }
  for (const auto& [chip, ports] : external) {
    EXPECT_LT(chip % 27, 18U) << "only leaf chips have external ports";
    EXPECT_LE(ports, 18U) << chip;
  }
}

// Small networks have many special cases, so all of them are compared.
TEST(ClosChassis, DiameterIsExactForEveryHostCountOfEightPortChips) {
  for (int hosts = 1; hosts <= 128; ++hosts) {
    const ParameterTexts parameters = {{"hosts", std::to_string(hosts)}, {"chip_ports", "8"}};
    const auto graph = build("clos_chassis", parameters, {gigabits_per_second(40)});
    ASSERT_TRUE(graph);
    EXPECT_EQ(properties("clos_chassis", parameters)->diameter, distances(*graph).diameter)
        << hosts;
  }
}

TEST(ClosChassis, RefusesChipsThatCannotBeSplitAndTooManyHosts) {
  EXPECT_FALSE(properties("clos_chassis", {{"hosts", "10"}, {"chip_ports", "6"}}));
  EXPECT_TRUE(properties("clos_chassis", {{"hosts", "52488"}}));
  EXPECT_FALSE(properties("clos_chassis", {{"hosts", "52489"}}));
}

}  // namespace
}  // namespace ebb::topology
