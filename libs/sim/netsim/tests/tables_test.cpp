// SPDX-License-Identifier: Apache-2.0
// Packets that go by forwarding tables, around links that sleep.

#include "tiny_network.hpp"

#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

// Three switches joined to each other, a host each.
struct ATriangle : testing::Test {
  ATriangle()
      : graph(*topology::build("complete", {{"switches", "3"}, {"hosts", "1"}}, {k40G})),
        routing(routing::make_routing("tables", graph).value()),
        script(std::vector{message(10us, bytes(100)), message(30us, bytes(100))},
               graph.host_count()),
        network({graph, *routing, {sleepy({k40G}, 5us)}, tiny_hardware(), watts(10), 1}, script,
                watcher) {}

  [[nodiscard]] std::int64_t sent(std::uint32_t from, std::uint32_t to) const {
    for (const topology::ChannelId one : graph.outputs(graph.switch_node(from))) {
      if (graph.target(one) == graph.switch_node(to)) return network.use(one).sent.count() / 8;
    }
    return -1;
  }
  void order_all(const policy::Order& order) {
    const auto link = topology::link_named(graph, "s0-s1").value();
    for (const topology::ChannelId one :
         {topology::forward(link), topology::reverse(topology::forward(link))})
      (void)network.apply({policy::ChannelId{index(one)}, order});
  }

  topology::Graph graph;
  std::unique_ptr<routing::Routing> routing;
  Script script;
  Watcher watcher;
  Network network;
};

TEST_F(ATriangle, SendsPacketsStraight) {
  network.run_until_idle();
  EXPECT_EQ(sent(0, 1), 200);
  EXPECT_EQ(sent(0, 2), 0);
}

TEST_F(ATriangle, SendsThemAroundALinkThatSleeps) {
  order_all(policy::Sleep{});
  network.run_until_idle();
  EXPECT_EQ(sent(0, 1), 0);
  EXPECT_EQ(sent(0, 2), 200);
  EXPECT_EQ(sent(2, 1), 200);
  EXPECT_EQ(watcher.seen.packets.size(), 2U);
}

// As a controller does before it takes a link down, and until it has seen that one carries again.
TEST_F(ATriangle, SendsThemAroundALinkThatIsDivertedWhileItIsUp) {
  const auto forth = topology::forward(topology::link_named(graph, "s0-s1").value());
  network.divert(forth, true);
  network.run_until(TimePoint(20us));
  EXPECT_EQ(sent(0, 1), 0);
  EXPECT_EQ(sent(0, 2), 100);
  network.divert(forth, false);
  network.run_until_idle();
  EXPECT_EQ(sent(0, 1), 100);
  EXPECT_EQ(sent(0, 2), 100);
}

// The first packet goes around and wakes the channel for the second.
TEST_F(ATriangle, WakesALinkByWhatTakesItsDetour) {
  order_all(policy::SleepWhenIdle{.idle = 1us, .wake = bytes(1)});
  network.run_until(TimePoint(12us));
  EXPECT_EQ(sent(0, 2), 100);
  EXPECT_EQ(sent(0, 1), 0);
  order_all(policy::Disarm{});  // or it would be asleep again by then
  network.run_until_idle();
  EXPECT_EQ(sent(0, 2), 100);
  EXPECT_EQ(sent(0, 1), 100);
}

}  // namespace
}  // namespace ebb::netsim
