// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/traffic_shape.hpp"

#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ebb::files {
namespace {

using topology::GraphBuilder;

const topology::RateLadder kLadder = {gigabits_per_second(40)};

traffic::Shape shape(std::string_view family, const ParameterTexts& parameters) {
  const auto graph = topology::build(family, parameters, kLadder);
  EXPECT_TRUE(graph) << to_string(graph.error());
  const auto found = traffic_shape(*graph);
  EXPECT_TRUE(traffic::mistakes(found).empty());
  return found;
}

TEST(TrafficShape, OfGridsHasDimensionsAndRows) {
  for (const char* family : {"fbfly", "torus", "mesh"}) {
    const auto found = shape(family, {{"hosts", "3"}, {"dims", "4x5"}});
    EXPECT_EQ(found.hosts, 60U) << family;
    EXPECT_EQ(found.hosts_per_switch, 3U) << family;
    EXPECT_EQ(found.hosts_per_group, 12U) << family;
    EXPECT_EQ(found.dims, (std::vector<std::uint32_t>{4, 5})) << family;
  }
}

TEST(TrafficShape, OfADragonflyHasGroups) {
  const auto found = shape("dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}});
  EXPECT_EQ(found.hosts, 72U);
  EXPECT_EQ(found.hosts_per_switch, 2U);
  EXPECT_EQ(found.hosts_per_group, 8U);
  EXPECT_TRUE(found.dims.empty());
}

TEST(TrafficShape, OfAClosWithAPartialLeafHasNoCommonCount) {
  EXPECT_EQ(shape("clos", {{"ports", "4"}, {"hosts", "16"}}).hosts_per_switch, 2U);
  EXPECT_EQ(shape("clos", {{"ports", "4"}, {"hosts", "15"}}).hosts_per_switch, 0U);
}

TEST(TrafficShape, OfACompleteNetworkHasNoGroups) {
  const auto found = shape("complete", {{"switches", "3"}, {"hosts", "2"}});
  EXPECT_EQ(found.hosts_per_group, 0U);
  EXPECT_TRUE(found.dims.empty());
}

// Hosts 0 and 2 on one switch, 1 and 3 on the other: not consecutive.
TEST(TrafficShape, OfAnImportedGraphIsReadFromItsLinks) {
  GraphBuilder mixed(2, 4, {kLadder});
  mixed.connect(mixed.switch_node(0), mixed.switch_node(1));
  for (std::uint32_t host = 0; host < 4; ++host)
    mixed.connect(mixed.switch_node(host % 2), mixed.host_node(host));
  EXPECT_EQ(traffic_shape(std::move(mixed).build({"imported", {}})).hosts_per_switch, 0U);

  GraphBuilder straight(2, 4, {kLadder});
  straight.connect(straight.switch_node(0), straight.switch_node(1));
  for (std::uint32_t host = 0; host < 4; ++host)
    straight.connect(straight.switch_node(1 - host / 2), straight.host_node(host));
  EXPECT_EQ(traffic_shape(std::move(straight).build({"imported", {}})).hosts_per_switch, 2U);
}

// Two hosts on the first switch, one on each of the others.
TEST(TrafficShape, OfUnequalRunsHasNoCommonCount) {
  GraphBuilder builder(3, 4, {kLadder});
  builder.connect(builder.switch_node(0), builder.switch_node(1));
  builder.connect(builder.switch_node(0), builder.switch_node(2));
  const std::uint32_t switches[] = {0, 0, 1, 2};
  for (std::uint32_t host = 0; host < 4; ++host)
    builder.connect(builder.switch_node(switches[host]), builder.host_node(host));
  EXPECT_EQ(traffic_shape(std::move(builder).build({"imported", {}})).hosts_per_switch, 0U);
}

}  // namespace
}  // namespace ebb::files
