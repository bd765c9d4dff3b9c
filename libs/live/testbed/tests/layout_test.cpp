// SPDX-License-Identifier: Apache-2.0
#include "ebb/testbed/layout.hpp"

#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

namespace ebb::testbed {
namespace {

topology::Graph graph_of(const char* family, const ParameterTexts& parameters) {
  return topology::build(family, parameters, {megabits_per_second(1), megabits_per_second(10)})
      .value();
}

TEST(Layout, PortsAreNumberedAsTheOutputsOfTheGraph) {
  const auto graph = graph_of("fbfly", {{"hosts", "2"}, {"dims", "3x3"}});
  const Layout layout = lay_out("tour", graph, std::vector<HostAddress>(18));
  ASSERT_EQ(layout.nodes.size(), 27U);
  EXPECT_EQ(layout.nodes[8].space, "ebb-tour-s8");
  EXPECT_EQ(layout.nodes[9].space, "ebb-tour-h0");
  for (const Cable& cable : layout.cables) {
    const auto output =
        graph.outputs(topology::NodeId{static_cast<std::uint32_t>(cable.a.node)})[cable.a.port];
    EXPECT_EQ(index(graph.target(output)), cable.b.node);
    EXPECT_EQ(graph.outputs(graph.target(output))[cable.b.port], reverse(output));
  }
  EXPECT_EQ(layout.nodes[0].ports[5].name, "p6");
  EXPECT_EQ(layout.nodes[0].ports[5].rate, megabits_per_second(10));
  EXPECT_EQ(layout.nodes[9].ports[0].name, "eth0");
}

TEST(Layout, ParallelCablesHavePortsOfTheirOwn) {
  const auto graph = graph_of("complete", {{"switches", "2"}, {"hosts", "1"}, {"parallel", "3"}});
  const Layout layout = lay_out("wide", graph, std::vector<HostAddress>(2));
  std::set<std::size_t> ports;
  for (const Cable& cable : layout.cables) {
    if (cable.b.node < layout.switches && cable.a.node < layout.switches)
      ports.insert(cable.a.port);
  }
  EXPECT_EQ(ports.size(), 3U);
}

TEST(Layout, HostsHaveOneLink) {
  topology::GraphBuilder builder(2, 1, {{megabits_per_second(1)}});
  builder.connect(builder.switch_node(0), builder.switch_node(1));
  builder.connect(builder.switch_node(0), builder.host_node(0));
  builder.connect(builder.switch_node(1), builder.host_node(0));
  const Errors errors = validate_graph(std::move(builder).build({"imported", {}}));
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].message, "host h0 has 2 links; in a test fabric a host has one");
}

TEST(FabricName, IsSafeInPathsAndAsLongAsOnePlease) {
  for (const char* good : {"a", "tour", "12345678", "Frankfurt-West_building-3-row-17", "0"})
    EXPECT_TRUE(is_fabric_name(good)) << good;
  for (const char* bad : {"", "a b", "../x", "-a", "a/b", "a.yaml", "\xc3\xa9"})
    EXPECT_FALSE(is_fabric_name(bad)) << bad;
  EXPECT_TRUE(is_fabric_name(std::string(kLongestFabricName, 'x')));
  EXPECT_FALSE(is_fabric_name(std::string(kLongestFabricName + 1, 'x')));
}

}  // namespace
}  // namespace ebb::testbed
