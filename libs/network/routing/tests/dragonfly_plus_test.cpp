// SPDX-License-Identifier: Apache-2.0
//
// What minimal routing and Valiant promise on a Dragonfly+ beyond what every scheme must hold.
#include "networks.hpp"

#include "ebb/routing/analysis.hpp"

#include <set>

namespace ebb::routing {
namespace {

std::vector<Case> shapes() {
  return {{"", "dragonfly-plus", {{"p", "1"}, {"leaves", "2"}, {"spines", "2"}, {"h", "2"}}},
          {"",
           "dragonfly-plus",
           {{"p", "2"}, {"leaves", "3"}, {"spines", "2"}, {"h", "3"}, {"g", "4"}}},
          {"",
           "dragonfly-plus",
           {{"p", "1"}, {"leaves", "2"}, {"spines", "3"}, {"h", "3"}, {"g", "6"}}},
          {"",
           "dragonfly-plus",
           {{"p", "1"}, {"leaves", "2"}, {"spines", "4"}, {"h", "1"}, {"g", "3"}, {"fill", "0"}}}};
}

// The outputs to switches from which the destination is a link nearer.
std::set<ChannelId> shortest_outputs(const Graph& graph, NodeId at, const std::vector<int>& links) {
  std::set<ChannelId> found;
  for (const ChannelId channel : graph.outputs(at)) {
    const NodeId next = graph.target(channel);
    if (!graph.is_host(next) && links[index(next)] + 1 == links[index(at)]) found.insert(channel);
  }
  return found;
}

// Between leaves there is no shorter path than up, global, down, and every such path is offered.
TEST(MinimalOnDragonflyPlus, OffersEveryShortestPathOfALeaf) {
  for (const Case& shape : shapes()) {
    const Graph graph = build(shape);
    const auto routing = make_routing("minimal", graph).value();
    for (std::uint32_t d = 0; d < graph.host_count(); ++d) {
      const NodeId to = graph.host_node(d);
      const auto links = distances_to(graph, switch_of(graph, to));
      for (std::uint32_t s = 0; s < graph.host_count(); ++s) {
        const NodeId at = switch_of(graph, graph.host_node(s));
        if (at == switch_of(graph, to)) continue;
        ASSERT_EQ(routing->remaining_hops(at, to, {}), links[index(at)]) << text_of(shape);
        Candidates outputs;
        routing->candidates(at, to, {}, outputs);
        std::set<ChannelId> offered;
        for (const Candidate& one : outputs) offered.insert(one.channel);
        ASSERT_EQ(offered, shortest_outputs(graph, at, links)) << text_of(shape);
      }
    }
  }
}

// One virtual channel for minimal paths, two for paths over another group: with one of them less
// packets that come up and packets that go down wait for each other.
TEST(ValiantOnDragonflyPlus, NeedsTwoVirtualChannels) {
  const Graph graph = build(shapes().front());
  EXPECT_EQ(make_routing("minimal", graph).value()->virtual_channels(), 1);
  const auto valiant = make_routing("valiant", graph).value();
  EXPECT_EQ(valiant->virtual_channels(), 2);
  EXPECT_TRUE(find_deadlock(graph, *valiant)->cycle.empty());
  EXPECT_FALSE(find_deadlock(graph, *valiant, {.virtual_channels = 1})->cycle.empty());
}

}  // namespace
}  // namespace ebb::routing
