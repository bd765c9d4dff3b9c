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
      EXPECT_FALSE(start.detour);
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
    EXPECT_EQ(routing->links_ahead(NodeId{0}, graph.host_node(1), start.state), 0);
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
    ASSERT_TRUE(start.detour);
    const int direct = routing->links_ahead(at, to, start.state);
    const int detour = routing->links_ahead(at, to, *start.detour);
    EXPECT_EQ(direct, distances_to(graph, switch_of(graph, to))[index(at)]);
    EXPECT_GT(detour, direct);
    const auto direct_places =
        visited(graph, *routing, source, to, start.state, network.switches_per_place, random);
    const auto detour_places =
        visited(graph, *routing, source, to, *start.detour, network.switches_per_place, random);
    EXPECT_EQ(direct_places.count(start.detour->intermediate), 0U);
    EXPECT_EQ(detour_places.count(start.detour->intermediate), 1U);
  }
}

}  // namespace
}  // namespace ebb::routing
