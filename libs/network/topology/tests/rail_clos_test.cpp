// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"
#include "ebb/topology/rails.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ebb::topology {
namespace {

const RateTable kRates = {gigabits_per_second(400)};

ParameterTexts rails(const char* ports, const char* pods, const char* servers, const char* gpus,
                     const char* tors = "1") {
  return {{"ports", ports}, {"pods", pods}, {"servers", servers}, {"gpus", gpus}, {"tors", tors}};
}

NodeId leaf(const Graph& graph, std::uint32_t host_node) {
  return graph.target(graph.outputs(graph.host_node(host_node)).front());
}

// A scalable unit of the DGX SuperPOD reference architecture for H100: 32 servers of 8 GPUs on 8
// leaves of 64 ports, half of them to hosts; four units are 1,024 GPUs on 32 leaves, for which 16
// spines of 64 ports are enough.
TEST(RailClos, FourScalableUnitsHaveThirtyTwoLeavesAndSixteenSpines) {
  const auto known = properties("rail-clos", rails("64", "4", "32", "8"));
  ASSERT_TRUE(known);
  EXPECT_EQ(known->hosts, 1024);
  EXPECT_EQ(known->interfaces, 1);
  EXPECT_EQ(known->switches, 32 + 16);
  EXPECT_EQ(known->links, 1024 + 1024);
  EXPECT_EQ(known->diameter, 2);
  EXPECT_EQ(known->bisection_links, 512);
  EXPECT_EQ(known->oversubscription, 1);
}

// A segment of Alibaba's HPN: 128 servers of 8 GPUs, each card with a port on two leaves, are 16
// leaves with 128 ports to hosts and 60 up.
TEST(RailClos, ASegmentOfHpnHasSixteenLeaves) {
  const auto one = properties("rail-clos", rails("188", "1", "128", "8", "2"));
  ASSERT_TRUE(one);
  EXPECT_EQ(one->hosts, 1024);
  EXPECT_EQ(one->interfaces, 2);
  EXPECT_EQ(one->switches, 16 + 6);  // 960 uplinks on spines of 188 ports
  EXPECT_EQ(one->links, 2 * 1024 + 960);
  // The same leaves as two planes, which share no spine.
  auto planes = rails("188", "1", "128", "8");
  planes.emplace_back("planes", "2");
  const auto two = properties("rail-clos", planes);
  ASSERT_TRUE(two);
  EXPECT_EQ(two->hosts, one->hosts);
  EXPECT_EQ(two->interfaces, 2);
  EXPECT_EQ(two->switches, 2 * (8 + 3));
  EXPECT_EQ(two->links, one->links);
}

TEST(RailClos, GpusOfOneNumberShareALeafInTheirPod) {
  const Graph graph = build("rail-clos", rails("8", "3", "4", "2"), kRates).value();
  for (std::uint32_t a = 0; a < graph.host_count(); ++a) {
    for (std::uint32_t b = 0; b < graph.host_count(); ++b) {
      const bool same_rail = a % 2 == b % 2 && a / 8 == b / 8;
      EXPECT_EQ(leaf(graph, a) == leaf(graph, b), same_rail) << a << ' ' << b;
    }
  }
}

TEST(RailClos, HostsOfTwoTorsHaveAnInterfaceOnEachInOneNetwork) {
  const Graph graph = build("rail-clos", rails("8", "2", "4", "2", "2"), kRates).value();
  EXPECT_EQ(graph.planes(), 1U);
  EXPECT_EQ(graph.interfaces(), 2U);
  const std::uint32_t hosts = graph.hosts_of_plane();
  ASSERT_EQ(hosts, 16U);
  ASSERT_EQ(graph.host_count(), 2 * hosts);
  EXPECT_EQ(graph.name(graph.host_node(hosts + 5)), "h5.1");
  EXPECT_EQ(components(graph).count, 1U);
  for (std::uint32_t h = 0; h < hosts; ++h)
    EXPECT_EQ(index(leaf(graph, h)) + 1, index(leaf(graph, hosts + h)));
}

// The loss of any leaf cuts no host off where each has two.
TEST(RailClos, AnyOneLeafMayFailWithTwoTors) {
  const Graph graph = build("rail-clos", rails("8", "2", "4", "2", "2"), kRates).value();
  const std::uint32_t hosts = graph.hosts_of_plane();
  for (std::uint32_t failed = 0; failed < 8; ++failed) {
    for (std::uint32_t h = 0; h < hosts; ++h) {
      const bool first = index(leaf(graph, h)) != failed;
      const bool second = index(leaf(graph, hosts + h)) != failed;
      EXPECT_TRUE(first || second) << failed << ' ' << h;
    }
  }
}

TEST(RailClos, SwitchesAreJoinedAsThoseOfAClos) {
  const Graph graph = build("rail-clos", rails("8", "3", "4", "2"), kRates).value();
  const Graph clos =
      build("clos", {{"ports", "8"}, {"levels", "2"}, {"hosts", "24"}, {"down", "4"}}, kRates)
          .value();
  ASSERT_EQ(graph.link_count(), clos.link_count());
  for (std::uint32_t l = graph.host_count(); l < graph.link_count(); ++l)
    EXPECT_EQ(graph.link(LinkId{l}), clos.link(LinkId{l}));
  EXPECT_EQ(clos_parameters(graph.origin())->texts(), clos_parameters(clos.origin())->texts());
}

TEST(RailClos, InPlanesHasTheInterfacesOfAll) {
  auto parameters = rails("8", "2", "4", "2", "2");
  parameters.emplace_back("planes", "2");
  const Graph graph = build("rail-clos", parameters, kRates).value();
  EXPECT_EQ(graph.planes(), 2U);
  EXPECT_EQ(graph.interfaces(), 4U);
  EXPECT_EQ(graph.hosts_of_plane(), 16U);
  EXPECT_EQ(graph.host_nodes_of_plane(), 32U);
  EXPECT_EQ(graph.name(graph.host_node(3 * 16 + 5)), "h5.3");
  EXPECT_TRUE(connected(graph));
}

TEST(RailClos, LeavesNeedAnUplink) {
  const auto full = properties("rail-clos", rails("8", "2", "8", "2"));
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().front().message, "'servers' = 8 leaves no uplink on a leaf of 8 ports");
}

}  // namespace
}  // namespace ebb::topology
