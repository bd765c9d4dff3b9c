// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace ebb::topology {
namespace {

const RateTable kRateTable = {gigabits_per_second(40)};

std::map<std::pair<std::uint32_t, std::uint32_t>, int> links_between_groups(const Graph& graph,
                                                                            std::uint32_t a) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> count;
  for (const Link& link : graph.links()) {
    if (graph.is_host(link.a)) continue;
    const auto [low, high] = std::minmax({index(link.a) / a, index(link.b) / a});
    if (low != high) ++count[{low, high}];
  }
  return count;
}

TEST(Dragonfly, ExascaleNetworkHasThePublishedSize) {
  const auto known = properties("dragonfly", {{"p", "18"}, {"a", "36"}, {"h", "18"}, {"g", "463"}});
  ASSERT_TRUE(known);
  EXPECT_EQ(known->switches, 16'668);
  EXPECT_EQ(known->hosts, 300'024);
  EXPECT_LE(known->switch_ports, 72);
  EXPECT_EQ(known->diameter, 3);
  EXPECT_EQ(known->groups, 463);
  EXPECT_EQ(known->access_switches_per_group, 36);
  EXPECT_EQ(known->hosts_per_access_switch, 18);
}

TEST(Dragonfly, LargestHasOneLinkPerPairOfGroups) {
  const auto graph = build("dragonfly", {{"p", "1"}, {"a", "4"}, {"h", "2"}}, kRateTable);
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->switch_count(), 36U);
  const auto count = links_between_groups(*graph, 4);
  EXPECT_EQ(count.size(), 9U * 8U / 2U);
  for (const auto& [pair, links] : count) EXPECT_EQ(links, 1);
}

TEST(Dragonfly, PortsFollowThePalmTree) {
  const auto graph = build("dragonfly", {{"p", "1"}, {"a", "2"}, {"h", "2"}}, kRateTable);
  ASSERT_TRUE(graph);  // 5 groups of 2
  // Port 0 of group 2 (its switch 0) leads one group back, to port 3 (switch 1) of group 1.
  const auto ports = graph->outputs(NodeId{4});
  EXPECT_EQ(index(graph->target(ports[2])), 3U);
  // Port 1 leads two groups back, to port 2 (switch 1) of group 0.
  EXPECT_EQ(index(graph->target(ports[3])), 1U);
}

TEST(Dragonfly, SparePortsAddLinksToTheNearestGroups) {
  // 8 ports per group, 7 groups: one full cycle of 6, then distances 1 and 6.
  const auto graph =
      build("dragonfly", {{"p", "1"}, {"a", "4"}, {"h", "2"}, {"g", "7"}}, kRateTable);
  ASSERT_TRUE(graph);
  EXPECT_EQ(links_between_groups(*graph, 4).size(), 7U * 6U / 2U);
  for (const auto& [pair, links] : links_between_groups(*graph, 4)) {
    const std::uint32_t apart = pair.second - pair.first;
    EXPECT_EQ(links, apart == 1 || apart == 6 ? 2 : 1) << pair.first << "-" << pair.second;
  }
  const auto bare = build(
      "dragonfly", {{"p", "1"}, {"a", "4"}, {"h", "2"}, {"g", "7"}, {"fill", "0"}}, kRateTable);
  ASSERT_TRUE(bare);
  for (const auto& [pair, links] : links_between_groups(*bare, 4)) EXPECT_EQ(links, 1);
}

TEST(Dragonfly, BisectionCountsTheLinksBetweenTheHalves) {
  for (const char* g : {"2", "3", "6", "7", "8", "9", "12", "13"}) {
    const ParameterTexts parameters = {{"p", "1"}, {"a", "4"}, {"h", "3"}, {"g", g}};
    const auto known = properties("dragonfly", parameters);
    const auto graph = build("dragonfly", parameters, kRateTable);
    ASSERT_TRUE(known && graph);
    std::int64_t cut = 0;
    for (const auto& [pair, links] : links_between_groups(*graph, 4)) {
      if (pair.first < known->groups / 2 && pair.second >= known->groups / 2) cut += links;
    }
    EXPECT_EQ(known->bisection_links, cut) << g;
  }
}

TEST(Dragonfly, RefusesMoreGroupsThanPortsCanJoin) {
  EXPECT_TRUE(properties("dragonfly", {{"p", "1"}, {"a", "4"}, {"h", "2"}, {"g", "9"}}));
  const auto known = properties("dragonfly", {{"p", "1"}, {"a", "4"}, {"h", "2"}, {"g", "10"}});
  ASSERT_FALSE(known);
  EXPECT_NE(to_string(known.error()).find("a*h+1 = 9"), std::string::npos);
  EXPECT_FALSE(properties("dragonfly", {{"p", "1"}, {"a", "4"}, {"h", "2"}, {"g", "1"}}));
}

}  // namespace
}  // namespace ebb::topology
