// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <gtest/gtest.h>

namespace ebb::topology {
namespace {

TEST(Tree, SixSwitchesHaveThePublishedMeanDistance) {
  const auto graph = build("tree", {{"switches", "6"}, {"hosts", "4"}}, {gigabits_per_second(1)});
  ASSERT_TRUE(graph);
  const auto d = distances(*graph);
  EXPECT_EQ(d.switch_sum, 86 * 4 * 4);
  EXPECT_DOUBLE_EQ(d.mean(), 86.0 / 36.0);
  EXPECT_EQ(d.diameter, 2U);
}

TEST(Tree, ParallelLinksWidenEveryBranch) {
  const auto known = figures("tree", {{"switches", "6"}, {"hosts", "4"}, {"parallel", "3"}});
  ASSERT_TRUE(known);
  EXPECT_EQ(known->links, 24 + 15);
  EXPECT_EQ(known->switch_ports, 4 + 15);
  EXPECT_EQ(known->bisection_links, 9);
  EXPECT_DOUBLE_EQ(known->oversubscription, 4.0 * 5 / 18);
}

}  // namespace
}  // namespace ebb::topology
