// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

namespace ebb::topology {
namespace {

TEST(Torus, EightCubedHasItsTextbookFigures) {
  const auto known = figures("torus", {{"hosts", "1"}, {"dims", "8x8x8"}});
  ASSERT_TRUE(known);
  EXPECT_EQ(known->switches, 512);
  EXPECT_EQ(known->links, 512 + 3 * 512);
  EXPECT_EQ(known->switch_ports, 7);
  EXPECT_EQ(known->diameter, 12);
  EXPECT_EQ(known->bisection_links, 2 * 512 / 8);
  EXPECT_EQ(known->oversubscription, 1.0);
}

TEST(Torus, OddRingLoadsItsChannelsAQuarterOfTheMeanDistance) {
  const auto known = figures("torus", {{"hosts", "10"}, {"dims", "5"}});
  ASSERT_TRUE(known);
  EXPECT_DOUBLE_EQ(known->oversubscription, 10 * 24.0 / 40.0);
}

TEST(Torus, RingOfTwoIsOneLink) {
  const auto known = figures("torus", {{"hosts", "1"}, {"dims", "2x2x2"}});
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
