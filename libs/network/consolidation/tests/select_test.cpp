// SPDX-License-Identifier: Apache-2.0
//
// Small networks by hand, and what holds for every network: what is chosen is enough, also after
// any one failure, and never takes more than everything.
#include "random_network.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace ebb::consolidation {
namespace {

// `spines` switches of 100 W, each with `links` links of 10 bit/s and 5 W to each of two leaves
// that have 40 hosts' bit/s.
Plane plane_of(std::size_t spines, std::uint32_t links = 1) {
  const Group spine{watts(100), watts(5), std::vector<Bundle>(2, {links, bits_per_second(10)})};
  return {watts(300), std::vector<DataRate>(2, bits_per_second(40)), std::vector<DataRate>(2),
          std::vector<Group>(spines, spine)};
}

Demand demand_of(std::int64_t load, const Ratio& margin = Ratio(0, 1)) {
  const std::vector<DataRate> loads(2, bits_per_second(load));
  return {loads, loads, margin};
}

std::size_t on_of(const PlaneSelection& plane) {
  return static_cast<std::size_t>(std::count(plane.groups.begin(), plane.groups.end(), true));
}

TEST(Need, HasTheMarginOrTheRestAfterALeafHasFailed) {
  const Ratio fifth(1, 5);
  EXPECT_EQ(need_of(bits_per_second(100), fifth, 1).whole, bits_per_second(120));
  EXPECT_EQ(need_of(bits_per_second(100), fifth, 1).without_a_group, bits_per_second(100));
  EXPECT_EQ(need_of(bits_per_second(100), fifth, 2).whole, bits_per_second(100));
  EXPECT_EQ(need_of(bits_per_second(100), fifth, 2).without_a_group, bits_per_second(50));
  EXPECT_EQ(need_of(bits_per_second(100), Ratio(1, 1), 4).whole, bits_per_second(50));
  EXPECT_EQ(need_of(DataRate{}, fifth, 3).whole, bits_per_second(1)) << "there is always a way";
}

TEST(Select, KeepsOneSpineMoreThanTheLoadNeeds) {
  const Network network{{plane_of(4)}};
  for (const auto& [load, spines] :
       {std::pair<std::int64_t, std::size_t>{0, 2}, {10, 2}, {11, 3}, {20, 3}, {21, 4}, {30, 4}}) {
    SCOPED_TRACE(load);
    const Selection best = select(network, demand_of(load));
    EXPECT_TRUE(best.enough);
    EXPECT_EQ(on_of(best.planes[0]), spines);
    EXPECT_EQ(best.power, watts(300 + 110 * static_cast<std::int64_t>(spines)));
    EXPECT_EQ(best.bound, best.power);
  }
  EXPECT_EQ(on_of(select(network, demand_of(20, Ratio(3, 5))).planes[0]), 4U) << "32 must fit";
}

TEST(Select, KeepsAllWhereAFailureCouldNotBeCovered) {
  const Network network{{plane_of(4)}};
  const Selection all = select(network, demand_of(31));
  EXPECT_FALSE(all.enough);
  EXPECT_EQ(on_of(all.planes[0]), 4U);
  EXPECT_EQ(all.power, watts(300 + 4 * 110));
  EXPECT_FALSE(select({{plane_of(1)}}, demand_of(0)).enough) << "its only spine may fail";
}

TEST(Select, KeepsOneLinkOfParallelOnesWhereThatIsEnough) {
  const Selection best = select({{plane_of(2, 3)}}, demand_of(10));
  EXPECT_EQ(best.planes[0].links, (std::vector<std::vector<std::uint32_t>>{{1, 1}, {1, 1}}));
  EXPECT_EQ(best.power, watts(300 + 2 * 110));
}

TEST(Select, KeepsTwoPlanesForAnyLeafMayFail) {
  const Network network{{plane_of(4), plane_of(4), plane_of(4)}};
  const Selection low = select(network, demand_of(20));
  EXPECT_TRUE(low.planes[0].on && low.planes[1].on && !low.planes[2].on);
  EXPECT_EQ(on_of(low.planes[0]), 2U) << "20 by one plane, when a leaf of the other has failed";
  const Selection high = select(network, demand_of(41));
  EXPECT_TRUE(high.planes[2].on) << "hosts of a leaf could not send 41 into one plane";
}

TEST(Select, TakesTheCheaperOfSwitchesThatDoTheSame) {
  Network network{{plane_of(4)}};
  network.planes[0].groups[0].switches = watts(150);
  network.planes[0].groups[2].switches = watts(50);
  const Selection best = select(network, demand_of(10));
  EXPECT_EQ(best.planes[0].groups, (std::vector<bool>{false, true, true, false}));
}

// What is on of a plane, by leaf, when one group has failed; `failed` may be none.
std::int64_t left_of(const Plane& plane, const PlaneSelection& selection, std::size_t leaf,
                     std::size_t failed) {
  std::int64_t left = plane.to_leaves[leaf].count();
  for (std::size_t g = 0; g < plane.groups.size(); ++g) {
    if (g != failed) left += plane.groups[g].to_leaf[leaf].rate.count() * selection.links[g][leaf];
  }
  return left;
}

// A leaf that fails in one plane leaves its load to the others; a group that fails leaves a plane
// its share of the load.
void every_failure_is_covered(const Case& it, const Selection& selection) {
  const auto on = std::count_if(selection.planes.begin(), selection.planes.end(),
                                [](const PlaneSelection& plane) { return plane.on; });
  for (std::size_t p = 0; p < it.network.planes.size(); ++p) {
    const Plane& plane = it.network.planes[p];
    if (!selection.planes[p].on) continue;
    for (std::size_t leaf = 0; leaf < it.network.leaves(); ++leaf) {
      const std::int64_t load = it.demand.network[leaf].count();
      const std::int64_t whole = left_of(plane, selection.planes[p], leaf, plane.groups.size());
      if (on > 1) {
        EXPECT_GE(whole * (on - 1), load);
      }
      for (std::size_t g = 0; g < plane.groups.size() && (plane.groups.size() > 1 || on == 1);
           ++g) {
        const std::int64_t left = left_of(plane, selection.planes[p], leaf, g);
        EXPECT_GE(left * on, load);
        EXPECT_GT(left, 0) << "every leaf has a way";
      }
    }
  }
}

TEST(Select, CoversEveryFailureInRandomNetworks) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    const Case it = random_case(seed);
    const Selection found = select(it.network, it.demand);
    EXPECT_EQ(found.power, power_of(it.network, found));
    EXPECT_LE(found.bound, found.power);
    EXPECT_EQ(found.enough, suffices(it.network, it.demand, found));
    if (found.enough) every_failure_is_covered(it, found);
  }
}

}  // namespace
}  // namespace ebb::consolidation
