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
