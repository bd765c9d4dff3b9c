// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace ebb::topology {
namespace {

TEST(Complete, SevenSwitchesWithTwoLinksEach) {
  const auto known = properties("complete", {{"switches", "7"}, {"hosts", "3"}, {"parallel", "2"}});
  ASSERT_TRUE(known);
  EXPECT_EQ(known->links, 21 + 2 * 21);
  EXPECT_EQ(known->switch_ports, 3 + 12);
  EXPECT_EQ(known->diameter, 1);
  EXPECT_EQ(known->bisection_links, 2 * 3 * 4);
  EXPECT_DOUBLE_EQ(known->oversubscription, 3.0 / 14.0);
}

TEST(Complete, RefusesAMillionSwitches) {
  EXPECT_FALSE(properties("complete", {{"switches", "1000000"}, {"hosts", "1"}}));
}

TEST(Tree, SixSwitchesHaveThePublishedMeanDistance) {
  const auto graph = build("tree", {{"switches", "6"}, {"hosts", "4"}}, {gigabits_per_second(1)});
  ASSERT_TRUE(graph);
  const auto d = distances(*graph);
  EXPECT_EQ(d.switch_sum, 86 * 4 * 4);
  EXPECT_DOUBLE_EQ(d.mean(), 86.0 / 36.0);
  EXPECT_EQ(d.diameter, 2U);
}

TEST(Tree, ParallelLinksWidenEveryBranch) {
  const auto known = properties("tree", {{"switches", "6"}, {"hosts", "4"}, {"parallel", "3"}});
  ASSERT_TRUE(known);
  EXPECT_EQ(known->links, 24 + 15);
  EXPECT_EQ(known->switch_ports, 4 + 15);
  EXPECT_EQ(known->bisection_links, 9);
  EXPECT_DOUBLE_EQ(known->oversubscription, 4.0 * 5 / 18);
}

std::string first_error(const Result<Properties>& result) {
  return result ? "accepted" : result.error().front().message;
}

// The names people type are the family itself: the graph says which.
TEST(Aliases, BuildTheFamilyThatTheyName) {
  const RateTable rates = {gigabits_per_second(10)};
  const ParameterTexts clos = {{"ports", "4"}, {"hosts", "8"}};
  for (const char* name : {"fat-tree", "fattree"}) {
    const auto graph = build(name, clos, rates);
    ASSERT_TRUE(graph) << name;
    EXPECT_EQ(graph->origin(), build("clos", clos, rates)->origin()) << name;
  }
  const ParameterTexts grid = {{"hosts", "1"}, {"dims", "3x3"}};
  EXPECT_EQ(build("hyperx", grid, rates)->origin(), build("fbfly", grid, rates)->origin());
  EXPECT_EQ((*find_family("hyperx"))->name, "fbfly");
}

// Two levels of 4-port switches: each of 4 leaves has 2 hosts and 2 uplinks, which 2 spines take:
// 6 switches and 16 links. With the default of three levels it would be more.
TEST(Aliases, LeafSpineHasTwoLevels) {
  const ParameterTexts given = {{"ports", "4"}, {"hosts", "8"}};
  const auto known = properties("leaf-spine", given);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->switches, 6);
  EXPECT_EQ(known->links, 16);
  const Family& family = **find_family("leaf-spine");
  EXPECT_EQ(family.name, "clos");
  EXPECT_EQ(with_fixed(family, given).back(), (ParameterTexts{{"levels", "2"}}.back()));
  EXPECT_EQ(
      first_error(properties("leaf-spine", {{"ports", "4"}, {"hosts", "8"}, {"levels", "3"}})),
      "'levels' must be between 2 and 2, got 3");
}

TEST(Aliases, AreProposedAndNamesComeFirst) {
  EXPECT_EQ(first_error(properties("hyprx", {})),
            "unknown topology family 'hyprx'; did you mean 'hyperx'?");
  EXPECT_EQ(first_error(properties("closs", {})),
            "unknown topology family 'closs'; did you mean 'clos'?");
}

Graph make(int switches, int degree, int seed) {
  return build("irregular",
               {{"switches", std::to_string(switches)},
                {"degree", std::to_string(degree)},
                {"hosts", "1"},
                {"seed", std::to_string(seed)}},
               {gigabits_per_second(10)})
      .value();
}

std::map<std::pair<NodeId, NodeId>, int> links_per_pair(const Graph& graph) {
  std::map<std::pair<NodeId, NodeId>, int> count;
  for (const Link& link : graph.links()) {
    if (!graph.is_host(link.a)) ++count[std::minmax(link.a, link.b)];
  }
  return count;
}

TEST(Irregular, OneSwitchHasOneLinkLessWhenTheDegreesCannotPair) {
  const Graph graph = make(11, 5, 1);
  int less = 0;
  for (std::uint32_t s = 0; s < 11; ++s) {
    const std::size_t degree = graph.outputs(NodeId{s}).size() - 1;
    EXPECT_TRUE(degree == 5 || degree == 4) << degree;
    less += degree == 4 ? 1 : 0;
  }
  EXPECT_EQ(less, 1);
}

TEST(Irregular, ParallelLinksOnlyWhenUnavoidable) {
  for (const auto& [pair, links] : links_per_pair(make(40, 39, 1))) EXPECT_EQ(links, 1);
  for (const auto& [pair, links] : links_per_pair(make(40, 7, 1))) EXPECT_EQ(links, 1);
  const auto dense = links_per_pair(make(5, 6, 1));
  EXPECT_EQ(dense.size(), 10U);
  for (const auto& [pair, links] : dense) EXPECT_TRUE(links == 1 || links == 2);
}

TEST(Irregular, SeedsGiveDifferentGraphs) {
  EXPECT_EQ(make(50, 4, 1), make(50, 4, 1));
  EXPECT_NE(links_per_pair(make(50, 4, 1)), links_per_pair(make(50, 4, 2)));
}

TEST(Irregular, RefusesDegreeOneForMoreThanTwoSwitches) {
  EXPECT_TRUE(properties("irregular", {{"switches", "2"}, {"degree", "1"}, {"hosts", "1"}}));
  EXPECT_FALSE(properties("irregular", {{"switches", "4"}, {"degree", "1"}, {"hosts", "1"}}));
}

}  // namespace
}  // namespace ebb::topology
