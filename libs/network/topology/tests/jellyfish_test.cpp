// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

namespace ebb::topology {
namespace {

ParameterTexts shape(int switches, int ports, int degree, int seed = 1) {
  return {{"switches", std::to_string(switches)},
          {"ports", std::to_string(ports)},
          {"degree", std::to_string(degree)},
          {"seed", std::to_string(seed)}};
}

Graph make(int switches, int ports, int degree, int seed = 1) {
  return build("jellyfish", shape(switches, ports, degree, seed), {gigabits_per_second(10)})
      .value();
}

// RRG(245, 14, 11): the switches of the fat tree of 686 hosts with which "Jellyfish: Networking
// Data Centers Randomly" is compared there, with 735 hosts.
TEST(Jellyfish, IsRegularConnectedAndSimple) {
  for (const int seed : {1, 2, 3}) {
    const Graph graph = make(245, 14, 11, seed);
    EXPECT_EQ(graph.host_count(), 245U * 3);
    EXPECT_TRUE(check(graph).empty());  // in one piece
    std::set<std::pair<NodeId, NodeId>> pairs;
    int less = 0;
    for (const Link& link : graph.links()) {
      if (!graph.connects_switches(link)) continue;
      EXPECT_NE(link.a, link.b);
      EXPECT_TRUE(pairs.insert(std::minmax(link.a, link.b)).second) << "parallel links";
    }
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s)
      less += graph.outputs(graph.switch_node(s)).size() == 14 ? 0 : 1;
    EXPECT_EQ(less, 1) << "245 x 11 is odd: one switch has one link less";
  }
}

// Mean links between hosts' switches, the same switch included, of a measured graph.
double mean_links(const Graph& graph) {
  const auto d = distances(graph);
  const double n = static_cast<double>(graph.switch_count());
  const double per_pair =
      static_cast<double>(graph.host_count()) / n * (static_cast<double>(graph.host_count()) / n);
  return static_cast<double>(d.switch_sum) / per_pair / (n * n) - 1;
}

// The least mean that any graph of this degree could have: each new link leads to a new switch.
double moore_mean(int n, int degree) {
  double total = 0;
  double left = n - 1;
  double ring = degree;
  for (int hops = 1; left > 0; ++hops, ring *= degree - 1) {
    total += hops * std::min(left, ring);
    left -= std::min(left, ring);
  }
  return total / n;
}

// The oversubscription comes from the expected mean distance, which is that of graphs of some
// hundred switches to one per cent, and the graphs are, as published, near what no graph can beat.
TEST(Jellyfish, DistancesAreAsExpectedAndNearTheBound) {
  for (const auto& [n, degree] :
       {std::pair(50, 5), {245, 11}, {245, 8}, {1'000, 20}, {60, 40}, {2'000, 3}}) {
    const double measured = mean_links(make(n, degree + 2, degree));
    const auto known = properties("jellyfish", shape(n, degree + 2, degree));
    EXPECT_NEAR(known->oversubscription * degree / 2, measured, (n < 100 ? 0.03 : 0.01) * measured)
        << n << ' ' << degree;
    EXPECT_GE(measured, moore_mean(n, degree) * (1 - 1e-9)) << n << ' ' << degree;
    EXPECT_LE(measured, moore_mean(n, degree) * 1.25) << n << ' ' << degree;
  }
}

TEST(Jellyfish, SeedsGiveDifferentGraphs) {
  EXPECT_EQ(make(50, 6, 4, 1), make(50, 6, 4, 1));
  bool differs = false;
  const Graph one = make(50, 6, 4, 1);
  const Graph two = make(50, 6, 4, 2);
  for (std::uint32_t l = 0; l < one.link_count(); ++l)
    differs = differs || one.link(LinkId{l}).b != two.link(LinkId{l}).b;
  EXPECT_TRUE(differs);
}

TEST(Jellyfish, RefusesMoreLinksThanOtherSwitchesOrPorts) {
  EXPECT_TRUE(properties("jellyfish", shape(6, 8, 5)));
  const auto many = properties("jellyfish", shape(6, 8, 6));
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().front().message,
            "'degree' must be between 3 and 5, for a switch has 8 ports, one of them for a host, "
            "and 5 others to be joined to; got 6");
  EXPECT_FALSE(properties("jellyfish", shape(20, 8, 8)));
}

}  // namespace
}  // namespace ebb::topology
