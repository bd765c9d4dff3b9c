// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

namespace ebb::topology {
namespace {

TEST(Mesh, EightByFourHasItsTextbookFigures) {
  const auto known = figures("mesh", {{"hosts", "2"}, {"dims", "8x4"}, {"parallel", "1x3"}});
  ASSERT_TRUE(known);
  EXPECT_EQ(known->switches, 32);
  EXPECT_EQ(known->links, 64 + 4 * 7 + 8 * 3 * 3);
  EXPECT_EQ(known->switch_ports, 2 + 2 + 6);
  EXPECT_EQ(known->diameter, 10);
  EXPECT_EQ(known->bisection_links, 4);
  EXPECT_DOUBLE_EQ(known->oversubscription, 2 * 4.0 * 4.0 / 8.0);
}

TEST(Mesh, RefusesAParallelListOfTheWrongLength) {
  EXPECT_FALSE(figures("mesh", {{"hosts", "2"}, {"dims", "8x4x2"}, {"parallel", "1x3"}}));
}

}  // namespace
}  // namespace ebb::topology
