// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

namespace ebb::topology {
namespace {

TEST(Fbfly, EightAryFiveFlatHasThePublishedParts) {
  const auto known = figures("fbfly", {{"hosts", "8"}, {"dims", "8x8x8x8"}});
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

}  // namespace
}  // namespace ebb::topology
