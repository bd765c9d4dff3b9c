// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/family.hpp"
#include "ebb/topology/rings.hpp"

#include <gtest/gtest.h>

#include <map>

namespace ebb::topology {
namespace {

// On 5 x 4 switches each direction of the first dimension has 4 rings of 5 channels, each of the
// second 5 of 4: following a direction from any switch leads round and back.
TEST(Torus, HasRingsInTwoDirectionsOfEachDimension) {
  const auto graph = build("torus", {{"hosts", "1"}, {"dims", "5x4"}}, {gigabits_per_second(40)});
  ASSERT_TRUE(graph);
  const auto directions = ring_directions(*graph);
  ASSERT_TRUE(directions);
  std::map<RingDirection, int> channels;
  for (const RingDirection one : *directions) ++channels[one];
  EXPECT_EQ(channels, (std::map<RingDirection, int>{{RingDirection{0}, 20},
                                                    {RingDirection{1}, 20},
                                                    {RingDirection{2}, 20},
                                                    {RingDirection{3}, 20},
                                                    {kOffRings, 40}}));
  NodeId at = graph->switch_node(7);
  for (int step = 0; step < 5; ++step) {
    for (const ChannelId output : graph->outputs(at)) {
      if ((*directions)[index(output)] != RingDirection{1}) continue;
      at = graph->target(output);
      break;
    }
    EXPECT_EQ(at == graph->switch_node(7), step == 4);
  }
}

TEST(Torus, HasNoRingsOfSingleLinksWithParallelOnes) {
  const auto torus =
      build("torus", {{"hosts", "1"}, {"dims", "4"}, {"parallel", "2"}}, {gigabits_per_second(40)});
  ASSERT_TRUE(torus);
  EXPECT_EQ(ring_directions(*torus).error().front().message,
            "a torus with parallel links has no rings of single links");
  const auto mesh = build("mesh", {{"hosts", "1"}, {"dims", "4"}}, {gigabits_per_second(40)});
  EXPECT_EQ(ring_directions(*mesh).error().front().message,
            "rings are those of the family 'torus', not of 'mesh'");
}

TEST(Fbfly, EightAryFiveFlatHasThePublishedParts) {
  const auto known = properties("fbfly", {{"hosts", "8"}, {"dims", "8x8x8x8"}});
  ASSERT_TRUE(known);
  EXPECT_EQ(known->hosts, 32'768);
  EXPECT_EQ(known->switches, 4'096);
  EXPECT_EQ(known->switch_ports, 36);
  EXPECT_EQ(known->links, 47'104 + 43'008);
  EXPECT_EQ(known->bisection_links, 8'192);
  EXPECT_EQ(known->oversubscription, 1.0);
}

TEST(Fbfly, PortsAreOrderedByDimensionThenCoordinate) {
  const auto graph = build("fbfly", {{"hosts", "2"}, {"dims", "4x3"}}, {gigabits_per_second(40)});
  ASSERT_TRUE(graph);
  const auto ports = graph->outputs(graph->switch_node(5));  // coordinates (1, 1)
  ASSERT_EQ(ports.size(), 2U + 3U + 2U);
  const std::vector<std::uint32_t> expected = {4, 6, 7, 1, 9};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(index(graph->target(ports[2 + i])), expected[i]) << i;
  }
}

TEST(Mesh, EightByFourHasItsTextbookProperties) {
  const auto known = properties("mesh", {{"hosts", "2"}, {"dims", "8x4"}, {"parallel", "1x3"}});
  ASSERT_TRUE(known);
  EXPECT_EQ(known->switches, 32);
  EXPECT_EQ(known->links, 64 + 4 * 7 + 8 * 3 * 3);
  EXPECT_EQ(known->switch_ports, 2 + 2 + 6);
  EXPECT_EQ(known->diameter, 10);
  EXPECT_EQ(known->bisection_links, 4);
  EXPECT_DOUBLE_EQ(known->oversubscription, 2 * 4.0 * 4.0 / 8.0);
}

TEST(Mesh, RefusesAParallelListOfTheWrongLength) {
  EXPECT_FALSE(properties("mesh", {{"hosts", "2"}, {"dims", "8x4x2"}, {"parallel", "1x3"}}));
}

TEST(Torus, EightCubedHasItsTextbookProperties) {
  const auto known = properties("torus", {{"hosts", "1"}, {"dims", "8x8x8"}});
  ASSERT_TRUE(known);
  EXPECT_EQ(known->switches, 512);
  EXPECT_EQ(known->links, 512 + 3 * 512);
  EXPECT_EQ(known->switch_ports, 7);
  EXPECT_EQ(known->diameter, 12);
  EXPECT_EQ(known->bisection_links, 2 * 512 / 8);
  EXPECT_EQ(known->oversubscription, 1.0);
}

TEST(Torus, OddRingLoadsItsChannelsAQuarterOfTheMeanDistance) {
  const auto known = properties("torus", {{"hosts", "10"}, {"dims", "5"}});
  ASSERT_TRUE(known);
  EXPECT_DOUBLE_EQ(known->oversubscription, 10 * 24.0 / 40.0);
}

TEST(Torus, RingOfTwoIsOneLink) {
  const auto known = properties("torus", {{"hosts", "1"}, {"dims", "2x2x2"}});
  ASSERT_TRUE(known);
  EXPECT_EQ(known->links, 8 + 12);
  EXPECT_EQ(known->switch_ports, 4);
  EXPECT_EQ(known->bisection_links, 4);
}

TEST(Torus, PortsAreOrderedByDimensionThenCoordinate) {
  const auto graph = build("torus", {{"hosts", "1"}, {"dims", "4x3"}}, {gigabits_per_second(1)});
  ASSERT_TRUE(graph);
  const auto ports = graph->outputs(graph->switch_node(0));
  const std::vector<std::uint32_t> expected = {1, 3, 4, 8};
  ASSERT_EQ(ports.size(), 1 + expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(index(graph->target(ports[1 + i])), expected[i]) << i;
}

}  // namespace
}  // namespace ebb::topology
