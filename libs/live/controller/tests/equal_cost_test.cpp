// SPDX-License-Identifier: Apache-2.0
//
// A leaf-spine that others route: which rule keeps next hops, and that load which spreads over
// siblings counts as such.
#include "triangle.hpp"

#include "ebb/controller/controller.hpp"

#include <map>
#include <utility>
#include <variant>
#include <vector>

namespace ebb::controller {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using topology::ChannelId;
using topology::LinkId;

// Four leaves, then three spines, 100 Mb/s. Links to the last spine may sleep.
topology::Graph four_leaves() {
  topology::GraphBuilder builder(7, 4, {{megabits_per_second(100)}});
  for (std::uint32_t leaf = 0; leaf < 4; ++leaf) {
    builder.connect(builder.switch_node(leaf), builder.host_node(leaf));
    for (const std::uint32_t spine : {4U, 5U, 6U})
      builder.connect(builder.switch_node(leaf), builder.switch_node(spine));
  }
  return std::move(builder).build({"imported", {}});
}

// Switches do what they are told at once.
class RoutedLeafSpine : public testing::Test {
 protected:
  RoutedLeafSpine() {
    controller.use_equal_cost(paths);
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s) controller.joined(now, s);
    for (std::uint32_t which = 0; which < graph.channel_count(); ++which)
      controller.probe_heard(now, ChannelId{which});
  }
  [[nodiscard]] ChannelId channel(std::uint32_t from, std::uint32_t to) const {
    for (const ChannelId one : graph.outputs(graph.switch_node(from))) {
      if (graph.target(one) == graph.switch_node(to)) return one;
    }
    ADD_FAILURE() << "no such channel";
    return {};
  }
  [[nodiscard]] LinkId link(std::uint32_t leaf, std::uint32_t spine) const {
    return topology::link_of(channel(leaf, spine));
  }
  // Between switches, in Mb/s.
  void send_all(std::uint64_t rate) {
    for (std::uint32_t which = 0; which < graph.channel_count(); ++which) {
      if (graph.connects_switches(ChannelId{which})) flow[which] = rate * 1'250;
    }
  }
  void pass(Duration time) {
    for (const TimePoint end = now + time; now < end;) {
      now += milliseconds(10);
      std::vector<PortCount> read;
      for (std::uint32_t which = 0; which < graph.channel_count(); ++which) {
        if (graph.is_host(graph.source(ChannelId{which}))) continue;
        sent[which] += flow[which];
        read.push_back({ChannelId{which}, sent[which], 0, sent[which]});
      }
      controller.counted(now, read);
      controller.tick(now);
      for (const Order& order : controller.take_orders()) {
        controller.answered(now, order, true);
        if (const auto* port = std::get_if<SetPort>(&order))
          controller.port(now, port->end, port->up);
      }
    }
  }
  void ask_to_sleep(std::initializer_list<LinkId> links) {
    for (const LinkId one : links) {
      const ChannelId forth = topology::forward(one);
      for (const ChannelId which : {forth, topology::reverse(forth)})
        policy.next.push_back({policy::ChannelId{index(which)}, policy::Sleep{}});
    }
    pass(milliseconds(100));
  }

  topology::Graph graph = four_leaves();
  forwarding::AddressPlan plan = *forwarding::AddressPlan::make(graph);
  std::vector<forwarding::Table> tables = *forwarding::fabric_tables(graph, plan);
  forwarding::TableWalker walker{graph, plan, tables};
  forwarding::EqualCostPaths paths =
      forwarding::EqualCostPaths::make(graph, {.min_next_hops = 2}).value();
  ScriptedPolicy policy;
  TimePoint now{seconds(10)};
  Controller controller{graph,
                        walker,
                        paths.sleepable(),
                        channel_facts(graph, paths.sleepable(), {}),
                        Safety{.min_decision_interval = milliseconds(100)},
                        policy};
  std::map<std::uint32_t, std::uint64_t> flow;  // bytes in 10 ms, by channel
  std::map<std::uint32_t, std::uint64_t> sent;
};

TEST_F(RoutedLeafSpine, KeepsNextHops) {
  send_all(1);
  pass(seconds(6));
  EXPECT_EQ(controller.objection(now, link(0, 6)), std::nullopt);
  EXPECT_EQ(controller.objection(now, link(0, 5)), "it belongs to the connected core");
  // An operator takes another spine from leaf 3: leaf 0 reaches it by one less.
  EXPECT_EQ(controller.drain(now, link(3, 5)), std::nullopt);
  EXPECT_EQ(controller.objection(now, link(0, 6)), "s0 would have 1 next hops to s3");
  EXPECT_EQ(controller.drain(now, link(3, 4)), "s3 would have 1 next hops to s0");
  ask_to_sleep({link(0, 6)});
  EXPECT_EQ(controller.decision_counts().refused_to_sleep.at("min_next_hops"), 1U);
  EXPECT_FALSE(controller.decision_counts().refused_to_sleep.contains("all_reachable"));
}

// 30 % on each of three becomes 45 % on each of two, and not 60 % on one.
TEST_F(RoutedLeafSpine, SpreadsItsLoadOverSiblings) {
  send_all(30);
  pass(seconds(6));
  EXPECT_EQ(controller.objection(now, link(0, 6)), std::nullopt);
  send_all(36);
  pass(seconds(1));
  EXPECT_EQ(controller.objection(now, link(0, 6)), "s0 to s4 would be used 54 %");
}

// The first moves 5 points of what leaf 1 sends to the other spines, besides its own 16; the second
// would add 16 more to the 32 there are.
TEST_F(RoutedLeafSpine, CountsWhatOthersAreAboutToMove) {
  send_all(32);
  pass(seconds(6));
  ask_to_sleep({link(0, 6), link(1, 6)});
  EXPECT_EQ(controller.link(link(0, 6)).state(), LinkState::draining);
  EXPECT_EQ(controller.link(link(1, 6)).state(), LinkState::active);
  EXPECT_EQ(controller.objection(now, link(1, 6)), "s1 to s4 would be used 53 %");
}

}  // namespace
}  // namespace ebb::controller
