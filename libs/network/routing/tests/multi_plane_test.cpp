// SPDX-License-Identifier: Apache-2.0
#include "networks.hpp"

#include "ebb/routing/analysis.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ebb::routing {
namespace {

std::vector<Case> one_plane_each() {
  return {{"minimal-adaptive", "fbfly", {{"hosts", "1"}, {"dims", "3x3"}}},
          {"valiant", "fbfly", {{"hosts", "1"}, {"dims", "3x2"}}},
          {"ugal", "fbfly", {{"hosts", "1"}, {"dims", "3x2"}}},
          {"up-down", "clos", {{"ports", "4"}, {"hosts", "16"}}},
          {"up-down",
           "rail-clos",
           {{"ports", "8"}, {"pods", "2"}, {"servers", "2"}, {"gpus", "2"}, {"tors", "2"}}},
          {"dimension-order", "torus", {{"hosts", "1"}, {"dims", "4x3"}}},
          {"minimal", "dragonfly", {{"p", "1"}, {"a", "2"}, {"h", "1"}}},
          {"shortest-path", "irregular", {{"switches", "12"}, {"degree", "3"}, {"hosts", "1"}}}};
}

Case in_planes(Case one, const std::string& planes) {
  one.parameters.emplace_back("planes", planes);
  return one;
}

TEST(MultiPlane, CannotDeadlock) {
  for (const Case& one : one_plane_each()) {
    SCOPED_TRACE(text_of(one));
    const Graph plane = build(one);
    const Graph graph = build(in_planes(one, "3"));
    const auto of_one = find_deadlock(plane, *route(one, plane), {});
    const auto of_all = find_deadlock(graph, *route(one, graph), {});
    ASSERT_TRUE(of_one && of_all);
    EXPECT_EQ(cycle_text(graph, of_all->cycle), "");
    EXPECT_EQ(of_all->dependencies, 3 * of_one->dependencies);
  }
}

TEST(MultiPlane, RoutesInEachPlaneAsInTheFirst) {
  for (const Case& one : one_plane_each()) {
    SCOPED_TRACE(text_of(one));
    const Graph plane = build(one);
    const Graph graph = build(in_planes(one, "2"));
    const auto of_one = forwarding_rows(plane, *route(one, plane));
    const auto of_all = forwarding_rows(graph, *route(one, graph));
    ASSERT_TRUE(of_one && of_all);
    ASSERT_EQ(of_all->size(), 2 * of_one->size());
    for (std::size_t i = 0; i < of_all->size(); ++i) {
      const std::uint32_t at = static_cast<std::uint32_t>(i / of_one->size());
      Row moved = (*of_one)[i % of_one->size()];
      moved.at = NodeId{index(moved.at) + at * plane.switch_count()};
      moved.destination = NodeId{index(moved.destination) + at * plane.switch_count()};
      for (ChannelId& channel : moved.channels)
        channel = ChannelId{index(channel) + at * plane.channel_count()};
      EXPECT_EQ((*of_all)[i], moved);
    }
  }
}

// Its switches tell each other by number which of their channels are congested.
TEST(MultiPlane, RefusesNotifications) {
  const Graph graph =
      build({"", "dragonfly", {{"p", "1"}, {"a", "2"}, {"h", "1"}, {"planes", "2"}}});
  const auto routing = make_routing("piggyback", graph);
  ASSERT_FALSE(routing);
  EXPECT_EQ(routing.error().front().message,
            "routing 'piggyback' cannot be used in several planes");
}

}  // namespace
}  // namespace ebb::routing
