// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/metrics.hpp"

#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace ebb::topology {
namespace {

const RateTable kRateTable = {gigabits_per_second(10)};

Graph make(const std::string& family, const ParameterTexts& parameters) {
  return build(family, parameters, kRateTable).value();
}

// The same links without the family's name, so that nothing but the graph is known.
Graph anonymous(const Graph& graph) {
  GraphBuilder builder(graph.switch_count(), graph.host_count(), {kRateTable});
  for (const Link& link : graph.links()) builder.connect(link);
  return std::move(builder).build({"imported", {}});
}

TEST(Graph, TellsLinksBetweenSwitchesFromThoseOfHosts) {
  GraphBuilder builder(2, 1, {kRateTable});
  builder.connect(builder.switch_node(0), builder.switch_node(1));
  builder.connect(builder.host_node(0), builder.switch_node(0));
  const Graph graph = std::move(builder).build({"imported", {}});
  EXPECT_TRUE(graph.connects_switches(LinkId{0}));
  EXPECT_TRUE(graph.connects_switches(graph.link(LinkId{0})));
  EXPECT_TRUE(graph.connects_switches(ChannelId{0}));
  EXPECT_TRUE(graph.connects_switches(ChannelId{1}));
  EXPECT_FALSE(graph.connects_switches(LinkId{1}));
  EXPECT_FALSE(graph.connects_switches(ChannelId{2}));
  EXPECT_FALSE(graph.connects_switches(ChannelId{3}));
}

TEST(Distances, CompleteOfSixSwitches) {
  const auto d = distances(make("complete", {{"switches", "6"}, {"hosts", "1"}}));
  EXPECT_EQ(d.switch_sum, 66);
  EXPECT_EQ(d.pairs, 36U);
  EXPECT_EQ(d.diameter, 1U);
  EXPECT_DOUBLE_EQ(d.mean(), 66.0 / 36.0);
  EXPECT_DOUBLE_EQ(d.mean_to_others(), 2.0);
}

TEST(Distances, HostsOfOneSwitchAreOneSwitchApart) {
  const auto d = distances(make("complete", {{"switches", "1"}, {"hosts", "5"}}));
  EXPECT_EQ(d.switch_sum, 25);
  EXPECT_EQ(d.selves, 5U);
  EXPECT_DOUBLE_EQ(d.mean_to_others(), 1.0);
}

TEST(Distances, OrbitsGiveWhatAllSourcesGive) {
  const std::vector<std::pair<std::string, ParameterTexts>> shapes = {
      {"fbfly", {{"hosts", "2"}, {"dims", "4x3"}, {"parallel", "1x2"}}},
      {"torus", {{"hosts", "3"}, {"dims", "5x4x2"}}},
      {"complete", {{"switches", "7"}, {"hosts", "2"}}},
      {"dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}, {"g", "6"}}},
      {"clos", {{"ports", "8"}, {"levels", "4"}, {"hosts", "151"}}},
      {"clos", {{"ports", "6"}, {"levels", "3"}, {"hosts", "31"}}},
      {"clos", {{"ports", "8"}, {"levels", "2"}, {"hosts", "30"}, {"down", "6"}}},
  };
  for (const auto& [family, parameters] : shapes) {
    const Graph graph = make(family, parameters);
    const auto few = distances(graph);
    const auto all = distances(anonymous(graph));
    EXPECT_LT(few.sources, all.sources) << family;
    EXPECT_EQ(few.switch_sum, all.switch_sum) << family;
    EXPECT_EQ(few.pairs, all.pairs) << family;
    EXPECT_EQ(few.selves, all.selves) << family;
    EXPECT_EQ(few.diameter, all.diameter) << family;
    EXPECT_TRUE(few.exact && all.exact);
  }
}

TEST(Distances, LargeGraphsWithoutSymmetryAreSampled) {
  const auto d = distances(make("mesh", {{"hosts", "1"}, {"dims", "150x150"}}));
  EXPECT_FALSE(d.exact);
  EXPECT_EQ(d.sources, kDistanceSamples);
  // The mean distance on a line of k is (k^2-1)/(3k) links.
  EXPECT_NEAR(d.mean(), 1 + 2 * (150.0 * 150 - 1) / (3 * 150), 8.0);
}

TEST(Distances, UnreachablePairsAreCountedApart) {
  GraphBuilder builder(2, 2, {kRateTable});
  builder.connect(NodeId{0}, NodeId{2});
  builder.connect(NodeId{1}, NodeId{3});
  const auto d = distances(std::move(builder).build({"imported", {}}));
  EXPECT_EQ(d.pairs, 2U);
  EXPECT_EQ(d.unreachable_pairs, 2U);
}

TEST(Components, CountsThePartsOfAGraph) {
  GraphBuilder builder(3, 1, {kRateTable});
  builder.connect(NodeId{0}, NodeId{2});
  const Graph graph = std::move(builder).build({"imported", {}});
  const auto parts = components(graph);
  EXPECT_EQ(parts.count, 3U);
  EXPECT_EQ(parts.of_node, (std::vector<std::uint32_t>{0, 1, 0, 2}));
  EXPECT_FALSE(connected(graph));
}

TEST(Degrees, OfAMesh) {
  const auto d = degrees(make("mesh", {{"hosts", "1"}, {"dims", "4x4"}}));
  EXPECT_EQ(d.least, 3U);
  EXPECT_EQ(d.most, 5U);
  EXPECT_EQ(d.switches_with, (std::vector<std::uint32_t>{0, 0, 0, 4, 8, 4}));
}

TEST(Bisection, EstimateIsNotBelowTheBestSplit) {
  const auto estimate = estimate_bisection(make("torus", {{"hosts", "2"}, {"dims", "8x4"}}));
  if (!estimate) GTEST_SKIP() << "built without METIS";
  EXPECT_EQ(estimate->hosts_on_one_side, 32);
  EXPECT_EQ(estimate->hosts_on_the_other, 32);
  EXPECT_GE(estimate->links, 8);
  EXPECT_LE(estimate->links, 12);
  const auto alone = estimate_bisection(make("complete", {{"switches", "1"}, {"hosts", "2"}}));
  EXPECT_EQ(alone->links, 0);
}

TEST(Check, NamesEveryOffender) {
  GraphBuilder builder(3, 4, {{gigabits_per_second(10), gigabits_per_second(1)}});
  builder.connect(builder.switch_node(0), builder.host_node(0));
  builder.connect(builder.switch_node(0), builder.switch_node(1));
  builder.connect(builder.host_node(1), builder.host_node(2));
  const std::string text = to_string(check(std::move(builder).build({"imported", {}})));
  EXPECT_NE(text.find("must ascend (at rate_tables[0])"), std::string::npos) << text;
  EXPECT_NE(text.find("host h3 has no link"), std::string::npos) << text;
  EXPECT_NE(text.find("host h1 is linked to host h2"), std::string::npos) << text;
  EXPECT_NE(text.find("s2 cannot be reached from s0"), std::string::npos) << text;
  EXPECT_NE(text.find("h1, h2 cannot be reached from s0"), std::string::npos) << text;
}

TEST(Check, FindsNothingInAFamily) {
  EXPECT_TRUE(check(make("fbfly", {{"hosts", "2"}, {"dims", "3x3"}})).empty());
}

Graph network(const char* family, const ParameterTexts& parameters) {
  return build(family, parameters, {gigabits_per_second(40)}).value();
}

std::vector<std::uint32_t> sizes(const std::vector<std::uint32_t>& part, std::uint32_t parts) {
  std::vector<std::uint32_t> result(parts, 0);
  for (const std::uint32_t p : part) ++result.at(p);
  return result;
}

std::uint64_t cut(const Graph& graph, const std::vector<std::uint32_t>& part,
                  const std::vector<std::uint32_t>& weights) {
  std::uint64_t total = 0;
  for (std::uint32_t l = 0; l < graph.link_count(); ++l) {
    const Link& link = graph.link(LinkId{l});
    if (!graph.connects_switches(link)) continue;
    if (part[index(link.a)] != part[index(link.b)]) total += weights[l];
  }
  return total;
}

TEST(Divide, GivesEveryPartItsShare) {
  const Graph graph = network("fbfly", {{"hosts", "4"}, {"dims", "8x8"}});
  const std::vector<std::uint32_t> weights(graph.link_count(), 1);
  for (const std::uint32_t parts : {1U, 2U, 3U, 4U, 8U, 64U}) {
    const auto part = divide(graph, parts, weights);
    ASSERT_EQ(part.size(), 64U);
    for (const std::uint32_t size : sizes(part, parts)) {
      EXPECT_GE(size, 1U);
      EXPECT_LE(size, 64 / parts + 64 / parts / 4 + 1) << parts;
    }
    EXPECT_EQ(part, divide(graph, parts, weights));
  }
}

// Halves of an 8x8 flattened butterfly along a dimension cut 4*4*8 = 128 links, blocks do as well;
// cutting anywhere else is dearer when one dimension's links weigh more.
TEST(Divide, CutsWhereLinksWeighLittle) {
  const Graph graph = network("mesh", {{"hosts", "1"}, {"dims", "8x8"}});
  std::vector<std::uint32_t> weights(graph.link_count(), 100);
  // Links between columns 3 and 4 of the first dimension are the long ones.
  std::uint64_t light = 0;
  for (std::uint32_t l = 0; l < graph.link_count(); ++l) {
    const Link& link = graph.link(LinkId{l});
    if (!graph.connects_switches(link)) continue;
    const std::uint32_t low = std::min(index(link.a), index(link.b));
    const std::uint32_t high = std::max(index(link.a), index(link.b));
    if (low % 8 == 3 && high == low + 1) {
      weights[l] = 1;
      ++light;
    }
  }
  ASSERT_EQ(light, 8U);
  EXPECT_EQ(cut(graph, divide(graph, 2, weights), weights), 8U);
}

}  // namespace
}  // namespace ebb::topology
