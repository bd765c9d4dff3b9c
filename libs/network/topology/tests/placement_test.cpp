// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/placement.hpp"

#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <gtest/gtest.h>

namespace ebb::topology {
namespace {

Graph make(const std::string& family, const ParameterTexts& parameters) {
  return build(family, parameters, {gigabits_per_second(40)}).value();
}

TEST(Placement, EightAryFiveFlatHasThePublishedMedia) {
  Graph graph = make("fbfly", {{"hosts", "8"}, {"dims", "8x8x8x8"}});
  ASSERT_TRUE(place_cables(graph, {.switches_per_rack = 8}));
  EXPECT_EQ(links_by_medium(graph), (LinkCounts{47'104, 43'008, 0}));
}

TEST(Placement, CablesRunAlongRowsAndAisles) {
  Graph graph = make("complete", {{"switches", "6"}, {"hosts", "1"}});
  ASSERT_TRUE(place_cables(graph, {.switches_per_rack = 1, .racks_per_row = 4}));
  for (const Link& link : graph.links()) {
    if (graph.is_host(link.a)) {
      EXPECT_EQ(link.length(), metres(2));
      EXPECT_EQ(link.medium, Medium::electrical);
    }
    // Switch 1 stands in row 0, column 1; switch 4 in row 1, column 0.
    if (link.a == NodeId{1} && link.b == NodeId{4}) {
      EXPECT_EQ(link.length(), millimetres(600 + 2'400 + 5'000));
      EXPECT_EQ(link.medium, Medium::optical);
    }
  }
}

TEST(Placement, ChassisAreNotSplitAndBackplanesStay) {
  Graph graph = make("clos_chassis", {{"hosts", "40"}, {"chip_ports", "8"}});
  const LinkCounts before = links_by_medium(graph);
  ASSERT_TRUE(place_cables(graph, {.switches_per_rack = 8}));  // 6 chips per chassis: one per rack
  EXPECT_EQ(links_by_medium(graph).backplane, before.backplane);
  for (const Link& link : graph.links()) {
    if (link.medium == Medium::backplane) {
      EXPECT_EQ(link.length_mm, 0U);
    } else {
      EXPECT_EQ(link.length() == metres(2), graph.is_host(link.a));
    }
  }
}

TEST(Placement, GroupsCablesByMediumAndLength) {
  Graph graph = make("complete", {{"switches", "3"}, {"hosts", "2"}});
  ASSERT_TRUE(place_cables(graph, {.switches_per_rack = 1}));
  const std::vector<CableGroup> expected = {
      {Medium::electrical, metres(2), 6, metres(12)},
      {Medium::optical, metres(10), 3, millimetres(5'600 + 5'600 + 6'200)}};
  EXPECT_EQ(count_cables(graph), expected);
}

// Two switches of five hosts, two hosts a rack. Of each five, two sit with their switch, two in the
// rack to its right and one in that to its left: three racks around each switch.
TEST(Placement, HostsThatDoNotFitSitBesideTheirSwitch) {
  Graph graph = make("complete", {{"switches", "2"}, {"hosts", "5"}});
  const auto placed = place_cables(graph, {.switches_per_rack = 1, .hosts_per_rack = 2});
  ASSERT_TRUE(placed);
  EXPECT_EQ(*placed, (Racks{6, 6}));
  const std::vector<CableGroup> expected = {
      {Medium::electrical, metres(2), 4, metres(8)},
      // 6 hosts a rack of 0.6 m away, and the switches three racks from each other.
      {Medium::optical, metres(10), 7, 6 * millimetres(5'600) + millimetres(6'800)}};
  EXPECT_EQ(count_cables(graph), expected);
}

// Two switches of 2 U leave 38 of 42 U: four hosts of 8 U, and five in a rack of hosts. 16 hosts:
// 4 + 5 + 5 + 2. Of 20 kW the switches take 2 kW, which leaves three hosts of 5 kW, and four in
// a rack of hosts: 3 + 4 + 4 + 4 + 1.
TEST(Placement, HeightAndPowerLimitRacks) {
  const RackBudget<std::uint32_t> units{42, 8, 2};
  const RackBudget<Power> power{watts(20'000), watts(5'000), watts(1'000)};
  FloorPlan plan{.switches_per_rack = 2};
  Graph graph = make("complete", {{"switches", "2"}, {"hosts", "8"}});
  EXPECT_EQ(*place_cables(graph, plan), (Racks{1, 0}));
  plan.units = units;
  EXPECT_EQ(*place_cables(graph, plan), (Racks{4, 12}));
  plan.power = power;
  EXPECT_EQ(*place_cables(graph, plan), (Racks{5, 13}));
  plan.power->of_switch = watts(15'000);  // one of them a rack: 1 + 4 + 3 hosts for each
  EXPECT_EQ(*place_cables(graph, plan), (Racks{6, 14}));
}

TEST(Placement, RefusesRacksThatHoldNothing) {
  Graph graph = make("complete", {{"switches", "2"}, {"hosts", "8"}});
  FloorPlan plan{.hosts_per_rack = 0};
  plan.units = {42, 43, 50};
  plan.power = {watts(1'000), watts(1'001), watts(1'001)};
  const auto placed = place_cables(graph, plan);
  ASSERT_FALSE(placed);
  EXPECT_EQ(placed.error().size(), 5U);
}

TEST(Placement, RefusesImpossiblePlansAndNamesEachField) {
  Graph graph = make("complete", {{"switches", "3"}, {"hosts", "2"}});
  const Graph before = graph;
  const auto placed =
      place_cables(graph, {.switches_per_rack = 0, .racks_per_row = 0, .rack_pitch = metres(-1)});
  ASSERT_FALSE(placed);
  EXPECT_EQ(placed.error().size(), 3U);
  EXPECT_EQ(graph, before);
}

}  // namespace
}  // namespace ebb::topology
