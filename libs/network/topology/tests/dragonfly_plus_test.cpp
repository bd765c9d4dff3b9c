// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace ebb::topology {
namespace {

ParameterTexts shape(int p, int leaves, int spines, int h, int g = 0) {
  return {{"p", std::to_string(p)},
          {"leaves", std::to_string(leaves)},
          {"spines", std::to_string(spines)},
          {"h", std::to_string(h)},
          {"g", std::to_string(g)}};
}

Graph make(const ParameterTexts& parameters) {
  return build("dragonfly-plus", parameters, {gigabits_per_second(40)}).value();
}

// "Dragonfly+: Low Cost Topology for Scaling Datacenters": switches of k ports with half of them
// down on both levels make groups of k^2/4 hosts and as many global ports, so k^2/4 + 1 groups.
// With k = 36 these are 325 * 324 hosts.
TEST(DragonflyPlus, LargestOfRadix36HasTheSizeOfThePapersRule) {
  const auto known = properties("dragonfly-plus", shape(18, 18, 18, 18));
  ASSERT_TRUE(known);
  EXPECT_EQ(known->hosts, 105'300);
  EXPECT_EQ(known->switches, 325 * 36);
  EXPECT_EQ(known->switch_ports, 36);
  EXPECT_EQ(known->diameter, 3);
  EXPECT_EQ(known->links, 105'300 + 325 * 18 * 18 + 325 * 324 / 2);
  EXPECT_LE(known->oversubscription, 1);
}

// A dragonfly of the same switches takes fewer hosts: with 36 ports the balanced one (p=9, a=18,
// h=9) has 163 groups of 162 hosts.
TEST(DragonflyPlus, HoldsFourTimesTheHostsOfADragonfly) {
  const auto plus = properties("dragonfly-plus", shape(18, 18, 18, 18));
  const auto dragonfly = properties("dragonfly", {{"p", "9"}, {"a", "18"}, {"h", "9"}});
  EXPECT_NEAR(static_cast<double>(plus->hosts) / static_cast<double>(dragonfly->hosts), 4, 0.02);
}

TEST(DragonflyPlus, OnlySpinesHaveGlobalLinks) {
  const Graph graph = make(shape(2, 3, 2, 2));  // 5 groups of 3 leaves and 2 spines
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> between_groups;
  int inside = 0;
  for (const Link& link : graph.links()) {
    if (!graph.connects_switches(link)) continue;
    const std::uint32_t a = index(link.a);
    const std::uint32_t b = index(link.b);
    if (a / 5 == b / 5) {
      EXPECT_NE(a % 5 < 3, b % 5 < 3) << "a leaf and a spine";
      ++inside;
    } else {
      EXPECT_TRUE(a % 5 >= 3 && b % 5 >= 3) << "two spines";
      ++between_groups[std::minmax(a / 5, b / 5)];
    }
  }
  EXPECT_EQ(inside, 5 * 3 * 2);
  EXPECT_EQ(between_groups.size(), 10U);
  for (const auto& [pair, links] : between_groups) EXPECT_EQ(links, 1);
  // Hosts 6 and 7 are the first of group 1, whose first leaf is switch 5.
  EXPECT_EQ(index(graph.target(graph.outputs(graph.host_node(6)).front())), 5U);
  EXPECT_EQ(index(graph.target(graph.outputs(graph.host_node(8)).front())), 6U);
}

TEST(DragonflyPlus, BisectionCountsTheLinksBetweenTheHalves) {
  for (const int g : {2, 3, 6, 7, 8, 9}) {
    const auto parameters = shape(1, 2, 4, 3, g);
    const Graph graph = make(parameters);
    const std::uint32_t half = static_cast<std::uint32_t>(g) / 2 * 6;
    std::int64_t cut = 0;
    for (const Link& link : graph.links()) {
      if (graph.connects_switches(link) && (index(link.a) < half) != (index(link.b) < half)) ++cut;
    }
    EXPECT_EQ(properties("dragonfly-plus", parameters)->bisection_links, cut) << g;
  }
}

TEST(DragonflyPlus, RefusesMoreGroupsThanPortsCanJoin) {
  const auto known = properties("megafly", shape(1, 2, 3, 2, 8));
  ASSERT_FALSE(known);
  EXPECT_NE(to_string(known.error()).find("spines*h+1 = 7"), std::string::npos);
}

}  // namespace
}  // namespace ebb::topology
