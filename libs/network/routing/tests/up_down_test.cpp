// SPDX-License-Identifier: Apache-2.0
#include "networks.hpp"

#include <set>

namespace ebb::routing {
namespace {

// Chassis to which a chassis has links.
std::set<std::uint32_t> joined(const Graph& graph, std::uint32_t box) {
  std::set<std::uint32_t> boxes;
  const std::uint32_t chips = graph.chips_per_box();
  for (std::uint32_t chip = box * chips; chip < (box + 1) * chips; ++chip) {
    for (const ChannelId channel : graph.outputs(NodeId{chip})) {
      const NodeId other = graph.target(channel);
      if (!graph.is_host(other) && index(other) / chips != box) boxes.insert(index(other) / chips);
    }
  }
  return boxes;
}

// Uplinks of chip `at` whose upper chassis reaches the chassis `wanted`.
std::set<ChannelId> useful_uplinks(const Graph& graph, NodeId at,
                                   const std::set<std::uint32_t>& reach) {
  std::set<ChannelId> useful;
  const std::uint32_t chips = graph.chips_per_box();
  for (const ChannelId channel : graph.outputs(at)) {
    const NodeId other = graph.target(channel);
    if (graph.is_host(other) || index(other) / chips == index(at) / chips) continue;
    if (reach.count(index(other) / chips) > 0) useful.insert(channel);
  }
  return useful;
}

// One host in the last chassis, so it reaches one of five upper chassis, and chips have two
// uplinks: some must go up, the others must first change chips.
TEST(UpDown, TakesExactlyTheUplinksThatReachAPartialChassis) {
  const Case one{"up-down", "clos_chassis", {{"hosts", "65"}, {"chip_ports", "8"}}};
  const Graph graph = build(one);
  const auto routing = route(one, graph);
  EXPECT_EQ(routing->virtual_channels(), 2);
  int up = 0;
  int aside = 0;
  for (std::uint32_t d = 0; d < graph.host_count(); ++d) {
    const NodeId to = graph.host_node(d);
    const std::uint32_t box = index(switch_of(graph, to)) / graph.chips_per_box();
    const auto reach = joined(graph, box);
    for (std::uint32_t s = 0; s < graph.host_count(); ++s) {
      const NodeId at = switch_of(graph, graph.host_node(s));
      if (index(at) / graph.chips_per_box() == box) continue;
      Candidates outputs;
      routing->candidates(at, to, {}, outputs);
      std::set<ChannelId> offered;
      for (const Candidate& output : outputs) offered.insert(output.channel);
      const auto useful = useful_uplinks(graph, at, reach);
      if (useful.empty()) {
        ++aside;
        EXPECT_EQ(outputs.size(), 4U);  // two traces to each of two spine chips
      } else {
        ++up;
        EXPECT_EQ(offered, useful);
      }
    }
  }
  EXPECT_GT(up, 0);
  EXPECT_GT(aside, 0);
}

TEST(UpDown, NeedsOneVirtualChannelWhenEveryChassisIsReached) {
  const Case one{"up-down", "clos_chassis", {{"hosts", "1296"}, {"chip_ports", "36"}}};
  const Graph graph = build(one);
  EXPECT_EQ(route(one, graph)->virtual_channels(), 1);
}

}  // namespace
}  // namespace ebb::routing
