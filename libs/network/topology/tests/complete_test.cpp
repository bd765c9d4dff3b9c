// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

namespace ebb::topology {
namespace {

TEST(Complete, SevenSwitchesWithTwoLinksEach) {
  const auto known = figures("complete", {{"switches", "7"}, {"hosts", "3"}, {"parallel", "2"}});
  ASSERT_TRUE(known);
  EXPECT_EQ(known->links, 21 + 2 * 21);
  EXPECT_EQ(known->switch_ports, 3 + 12);
  EXPECT_EQ(known->diameter, 1);
  EXPECT_EQ(known->bisection_links, 2 * 3 * 4);
  EXPECT_DOUBLE_EQ(known->oversubscription, 3.0 / 14.0);
}

TEST(Complete, RefusesAMillionSwitches) {
  EXPECT_FALSE(figures("complete", {{"switches", "1000000"}, {"hosts", "1"}}));
}

}  // namespace
}  // namespace ebb::topology
