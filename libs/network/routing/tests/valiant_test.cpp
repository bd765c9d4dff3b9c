// SPDX-License-Identifier: Apache-2.0
#include "networks.hpp"

#include <set>

namespace ebb::routing {
namespace {

struct Places {
  Case network;
  std::uint32_t switches_per_place = 1;
};

const std::vector<Places>& networks() {
  static const std::vector<Places> kNetworks = {
      {{"", "fbfly", {{"hosts", "2"}, {"dims", "3x4"}, {"parallel", "2"}}}, 1},
      {{"", "dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}, {"g", "7"}}}, 4}};
  return kNetworks;
}

// The places that a packet passes when chance chooses among its candidates.
std::set<std::uint32_t> visited(const Graph& graph, const Routing& routing, NodeId source,
                                NodeId destination, RouteState state, std::uint32_t per_place,
                                RandomStream& random) {
  std::set<std::uint32_t> places;
  Candidates outputs;
  for (NodeId at = switch_of(graph, source); at != destination;) {
    places.insert(index(at) / per_place);
    routing.candidates(at, destination, state, outputs);
    const Candidate taken = outputs[random.below(outputs.size())];
    state = routing.advance(at, taken, state);
    at = graph.target(taken.channel);
  }
  return places;
}

TEST(Valiant, VisitsItsIntermediate) {
  for (Places network : networks()) {
    network.network.scheme = "valiant";
    const Graph graph = build(network.network);
    const auto routing = route(network.network, graph);
    RandomStream random(1, "valiant");
    std::set<std::uint32_t> drawn;
    for (int packet = 0; packet < 2'000; ++packet) {
      const NodeId source = graph.host_node(0);
      const NodeId to = graph.host_node(graph.host_count() - 1);
      const Start start = routing->start(source, to, random);
      EXPECT_FALSE(start.non_minimal);
      const auto places =
          visited(graph, *routing, source, to, start.state, network.switches_per_place, random);
      EXPECT_EQ(places.count(start.state.intermediate), 1U);
      drawn.insert(start.state.intermediate);
    }
    // Every place but the two ends is drawn.
    EXPECT_EQ(drawn.size(), graph.switch_count() / network.switches_per_place - 2);
  }
}

TEST(Valiant, StaysOnTheSwitchWhenBothHostsDo) {
  for (Places network : networks()) {
    network.network.scheme = "valiant";
    const Graph graph = build(network.network);
    const auto routing = route(network.network, graph);
    RandomStream random(1, "valiant");
    const Start start = routing->start(graph.host_node(0), graph.host_node(1), random);
    EXPECT_EQ(routing->remaining_hops(NodeId{0}, graph.host_node(1), start.state), 0);
  }
}

// UGAL-L as a caller writes it: queue depth times links ahead decides.
TEST(Ugal, LeavesTheChoiceToTheCaller) {
  for (Places network : networks()) {
    network.network.scheme = "ugal";
    const Graph graph = build(network.network);
    const auto routing = route(network.network, graph);
    const NodeId source = graph.host_node(0);
    const NodeId to = graph.host_node(graph.host_count() - 1);
    const NodeId at = switch_of(graph, source);
    RandomStream random(1, "ugal");
    const Start start = routing->start(source, to, random);
    ASSERT_TRUE(start.non_minimal);
    const int direct = routing->remaining_hops(at, to, start.state);
    const int non_minimal = routing->remaining_hops(at, to, *start.non_minimal);
    EXPECT_EQ(direct, distances_to(graph, switch_of(graph, to))[index(at)]);
    EXPECT_GT(non_minimal, direct);
    const auto direct_places =
        visited(graph, *routing, source, to, start.state, network.switches_per_place, random);
    const auto non_minimal_places = visited(graph, *routing, source, to, *start.non_minimal,
                                            network.switches_per_place, random);
    EXPECT_EQ(direct_places.count(start.non_minimal->intermediate), 0U);
    EXPECT_EQ(non_minimal_places.count(start.non_minimal->intermediate), 1U);
  }
}

const Case kCase{"conditional", "dragonfly", {{"p", "3"}, {"a", "4"}, {"h", "2"}}};

class Conditional : public testing::Test {
 protected:
  [[nodiscard]] Start start(std::uint32_t from, std::uint32_t to) {
    return routing_->start(graph_.host_node(from), graph_.host_node(to), random_);
  }
  [[nodiscard]] Candidate output(NodeId at, std::uint32_t to, RouteState state) {
    routing_->candidates(at, graph_.host_node(to), state, outputs_);
    EXPECT_EQ(outputs_.size(), 1U);
    return outputs_[0];
  }

  Graph graph_ = build(kCase);
  std::unique_ptr<Routing> routing_ = route(kCase, graph_);
  RandomStream random_{1, "conditional"};
  Candidates outputs_;
};

TEST_F(Conditional, HasAlternativesForOtherGroupsOnly) {
  EXPECT_FALSE(start(0, 1).non_minimal);   // on the same switch
  EXPECT_FALSE(start(0, 11).non_minimal);  // in the same group
  EXPECT_TRUE(start(0, 12).non_minimal);
}

// Port i of a host has the switch's global link i modulo 2: ports 6 and 7, after 3 hosts and 3
// switches.
TEST_F(Conditional, SendsEachHostOverALinkOfItsOwnSwitch) {
  const NodeId at = graph_.switch_node(1);
  for (std::uint32_t port = 0; port < 3; ++port) {
    const Start both = start(3 + port, 50);
    ASSERT_TRUE(both.non_minimal);
    const Candidate non_minimal = output(at, 50, *both.non_minimal);
    EXPECT_EQ(non_minimal.channel, graph_.outputs(at)[6 + port % 2]);
    EXPECT_EQ(non_minimal.vc, 0);
    // From there on, the direct way.
    EXPECT_EQ(routing_->advance(at, non_minimal, *both.non_minimal), both.state);
  }
}

// l0 g1 l1.
TEST_F(Conditional, TakesItsClassesInOrder) {
  std::vector<std::uint8_t> classes;
  const NodeId first = graph_.switch_node(1);
  std::uint32_t to = 12;
  while (routing_->remaining_hops(first, graph_.host_node(to), start(3, to).state) < 3) ++to;
  RouteState state = start(3, to).state;
  for (NodeId at = first; at != graph_.host_node(to);) {
    const Candidate taken = output(at, to, state);
    classes.push_back(taken.vc);
    state = routing_->advance(at, taken, state);
    at = graph_.target(taken.channel);
  }
  EXPECT_EQ(classes.back(), 0) << "to the host";
  classes.pop_back();
  EXPECT_EQ(classes, (std::vector<std::uint8_t>{0, 1, 1}));
}

}  // namespace
}  // namespace ebb::routing
