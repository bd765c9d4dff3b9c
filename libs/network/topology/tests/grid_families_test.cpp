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

// "TPU v4" (ISCA 2023): 4,096 chips are 64 blocks of 4 x 4 x 4, each with 6 faces of 16 optical
// links, on 48 optical circuit switches, which join the same place of opposite faces of all blocks.
TEST(TorusOfBlocks, HasTheCircuitSwitchesOfTpuV4) {
  const auto whole = properties("torus", {{"hosts", "1"}, {"dims", "16x16x16"}, {"block", "4"}});
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->hosts, 4096);
  EXPECT_EQ(whole->circuit_switches, 48);
  EXPECT_EQ(whole->circuit_switch_ports, 128);
  EXPECT_EQ(2 * whole->circuits, 64 * 6 * 16);
  EXPECT_EQ(whole->diameter, 24);
}

// A job on a part of the machine: its links, and all circuit switches of the machine.
TEST(TorusOfBlocks, IsTheShapeOfItsJob) {
  const ParameterTexts plain = {{"hosts", "1"}, {"dims", "8x4x4"}};
  ParameterTexts job = plain;
  job.emplace_back("block", "4");
  job.emplace_back("blocks", "64");
  const auto known = properties("torus", job);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->circuit_switches, 48);
  EXPECT_EQ(known->circuit_switch_ports, 128);
  EXPECT_EQ(known->circuits, 96);  // 3 x 16 for each of two blocks
  const RateTable rates = {gigabits_per_second(100)};
  const Graph blocks = build("torus", job, rates).value();
  const Graph torus = build("torus", plain, rates).value();
  ASSERT_EQ(blocks.link_count(), torus.link_count());
  for (std::uint32_t l = 0; l < torus.link_count(); ++l)
    EXPECT_EQ(blocks.link(LinkId{l}), torus.link(LinkId{l}));
  EXPECT_EQ(torus.origin().parameters.size(), 3U);
}

// Links between switches of different blocks, and those around a ring of one block, counted.
TEST(TorusOfBlocks, CircuitsAreTheLinksThatLeaveFaces) {
  const Graph graph =
      build("torus", {{"hosts", "1"}, {"dims", "6x3"}, {"parallel", "2x1"}, {"block", "3"}},
            {gigabits_per_second(100)})
          .value();
  std::int64_t leave = 0;
  for (const Link& link : graph.links()) {
    if (!graph.connects_switches(link)) continue;
    const std::uint32_t a = index(link.a);
    const std::uint32_t b = index(link.b);
    const bool block = a % 6 / 3 != b % 6 / 3;
    const bool around = a % 6 == b % 6 && a / 6 + 2 == b / 6;
    if (block || around) ++leave;
  }
  const auto known = properties("torus", graph.origin().parameters);
  EXPECT_EQ(known->circuits, leave);
  EXPECT_EQ(known->circuit_switches, 2 * 3 + 3);
}

TEST(TorusOfBlocks, RefusesWhatBlocksCannotMake) {
  const auto refused = [](const char* dims, const char* block, const char* blocks) {
    const auto known =
        properties("torus", {{"hosts", "1"}, {"dims", dims}, {"block", block}, {"blocks", blocks}});
    return known ? "" : known.error().front().message;
  };
  EXPECT_EQ(refused("8x6x4", "4", "0"), "a side of 6 switches is not made of blocks of 4");
  EXPECT_EQ(refused("8x8x4", "4", "3"), "the job takes 4 blocks, the machine has 3");
  EXPECT_EQ(refused("8x8x4", "2", "0"), "a block has three switches or more along each dimension");
  EXPECT_EQ(refused("8x8x4", "0", "3"),
            "'blocks' counts blocks of 'block' switches, which is not given");
}

}  // namespace
}  // namespace ebb::topology
