// SPDX-License-Identifier: Apache-2.0
//
// Packets under the routing `tables` go where the tables say, with every link and without any one.
// tests/rules/simulated_paths.py compares the same with a real Open vSwitch.
#include "networks.hpp"

#include "ebb/forwarding/reachability.hpp"
#include "ebb/routing/scheme.hpp"

#include <optional>

namespace ebb::routing {
namespace {

using topology::LinkId;

// A network with its tables, and a walker over them that knows nothing of routings.
struct Walked {
  explicit Walked(const Case& one)
      : graph(build(one)),
        plan(*forwarding::AddressPlan::make(graph)),
        tables(*forwarding::fabric_tables(graph, plan)),
        walker(graph, plan, tables) {}

  Graph graph;
  forwarding::AddressPlan plan;
  std::vector<forwarding::Table> tables;
  forwarding::TableWalker walker;
};

// The channels between switches that a packet takes when each switch takes its first candidate.
std::vector<ChannelId> path(const Graph& graph, const Routing& routing, std::uint32_t from,
                            std::uint32_t to) {
  const NodeId destination = graph.host_node(to);
  RandomStream random(1, "test");
  RouteState state = routing.start(graph.host_node(from), destination, random, EmptyNetwork());
  std::vector<ChannelId> taken;
  NodeId at = switch_of(graph, graph.host_node(from));
  for (Candidates outputs; taken.size() <= 2 * graph.switch_count();) {
    routing.candidates(at, destination, state, outputs);
    if (outputs.empty()) break;
    state = routing.advance(at, outputs[0], state);
    at = graph.target(outputs[0].channel);
    if (at == destination) return taken;
    taken.push_back(outputs[0].channel);
  }
  ADD_FAILURE() << "a packet from h" << from << " to h" << to << " does not arrive";
  return taken;
}

class OnTables : public testing::TestWithParam<Case> {};

TEST_P(OnTables, PacketsTakeThePathsOfTheTables) {
  const Walked network(GetParam());
  const Graph& graph = network.graph;
  const auto without = [&](std::optional<LinkId> failed) {
    std::vector<bool> down(graph.link_count());
    if (failed) down[index(*failed)] = true;
    const auto routing = make_table_routing(
        graph, failed ? std::span<const LinkId>(&*failed, 1) : std::span<const LinkId>());
    bool all_arrive = true;
    for (std::uint32_t from = 0; from < graph.host_count(); ++from) {
      for (std::uint32_t to = 0; to < graph.host_count(); ++to) {
        if (from == to) continue;
        const auto walked = network.walker.walk(from, to, down);
        all_arrive = all_arrive && walked;
        if (!routing || !walked) continue;
        ASSERT_EQ(path(graph, **routing, from, to), walked->channels);
      }
    }
    ASSERT_EQ(routing.has_value(), all_arrive) << "refused if and only if somebody is cut off";
  };
  without(std::nullopt);
  for (std::uint32_t link = 0; link < graph.link_count() && !HasFatalFailure(); ++link)
    without(LinkId{link});
}

std::vector<Case> cases_of_tables() {
  std::vector<Case> cases = small_cases();
  std::erase_if(cases, [](const Case& one) { return one.scheme != "tables"; });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Small, OnTables, testing::ValuesIn(cases_of_tables()), name_of);

TEST(TableRouting, IsRefusedWhereClassesOfServiceRunOut) {
  const Graph graph = build({"tables", "clos_chassis", {{"hosts", "65"}, {"chip_ports", "8"}}});
  const auto refused = make_table_routing(graph, {});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().front().message.find("classes of service"), std::string::npos);
}

TEST(TableRouting, SaysWhoIsCutOff) {
  const Graph graph = build({"tables", "tree", {{"switches", "3"}, {"hosts", "1"}}});
  const auto bridge = topology::link_named(graph, "s0-s1");
  ASSERT_TRUE(bridge);
  const auto refused = make_table_routing(graph, {&*bridge, 1});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().front().message,
            "h0 does not reach h1 by the forwarding tables while these links are down");
}

// The policy closes what the live controller would let sleep.
TEST(TableRouting, TiersAreTheLinksThatMaySleep) {
  const Case one{"tables", "fbfly", {{"hosts", "2"}, {"dims", "3x3"}}};
  const Walked network(one);
  const auto sleepable = forwarding::sleepable_links(network.graph, network.plan, network.tables);
  const auto routing = route(one, network.graph);
  int upper = 0;
  for (std::uint32_t c = 0; c < network.graph.channel_count(); ++c) {
    const bool may = sleepable.may_sleep[index(topology::link_of(ChannelId{c}))];
    EXPECT_EQ(routing->tier(ChannelId{c}), may ? 1 : 0);
    upper += may ? 1 : 0;
  }
  EXPECT_EQ(upper, 12);
}

}  // namespace
}  // namespace ebb::routing
