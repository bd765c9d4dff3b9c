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
      const RouteState start = routing->start(source, to, random, EmptyNetwork());
      const auto places =
          visited(graph, *routing, source, to, start, network.switches_per_place, random);
      EXPECT_EQ(places.count(start.intermediate), 1U);
      drawn.insert(start.intermediate);
    }
    // Every place but the two ends is drawn.
    EXPECT_EQ(drawn.size(), graph.switch_count() / network.switches_per_place - 2);
  }
}

// By hand, on the 4 x 4 flattened butterfly with x first: 3 links on average over all 16 places, 2
// fewer for the packet that meets its destination between two links, 1 time in 4 x 3/4 for
// destinations on the line of x. Over the other 14: 1.6 links to the place and as many from it.
TEST(ValiantAny, DrawsEveryPlaceAndEndsWhereItMeetsItsDestination) {
  for (const auto& [scheme, expected] :
       {std::pair{"valiant-any", 3.0 - 2 * (3.0 / 16) * (3.0 / 15)}, std::pair{"valiant", 3.2}}) {
    const Case one{scheme, "fbfly", {{"hosts", "1"}, {"dims", "4x4"}}};
    const Graph graph = build(one);
    const auto routing = route(one, graph);
    RandomStream random(1, "valiant-any");
    std::int64_t links = 0;
    std::int64_t paths = 0;
    for (std::uint32_t d = 1; d < graph.host_count(); ++d) {
      const NodeId to = graph.host_node(d);
      for (RouteState state : routing->all_starts(graph.host_node(0), to)) {
        ++paths;
        Candidates outputs;
        for (NodeId at = NodeId{0}; at != to; ++links) {
          routing->candidates(at, to, state, outputs);
          state = routing->advance(at, outputs[0], state);
          at = graph.target(outputs[0].channel);
        }
        --links;  // to the host
      }
    }
    EXPECT_DOUBLE_EQ(static_cast<double>(links) / static_cast<double>(paths), expected) << scheme;
  }
}

TEST(Valiant, StaysOnTheSwitchWhenBothHostsDo) {
  for (Places network : networks()) {
    network.network.scheme = "valiant";
    const Graph graph = build(network.network);
    const auto routing = route(network.network, graph);
    RandomStream random(1, "valiant");
    const RouteState start =
        routing->start(graph.host_node(0), graph.host_node(1), random, EmptyNetwork());
    EXPECT_EQ(routing->remaining_hops(NodeId{0}, graph.host_node(1), start), 0);
  }
}

// A packet from the first host to the last, on each network.
struct Pair {
  explicit Pair(Case one) : graph(build(one)), routing(route(one, graph)) {}

  [[nodiscard]] RouteState start(const CongestionView& view) {
    return routing->start(source, to, random, view);
  }
  // The outputs on which a path can begin.
  [[nodiscard]] Candidates outputs(RouteState state) const {
    Candidates all;
    routing->candidates(at, to, state, all);
    return all;
  }
  [[nodiscard]] int hops(RouteState state) const { return routing->remaining_hops(at, to, state); }

  Graph graph;
  std::unique_ptr<Routing> routing;
  RandomStream random{1, "pair"};
  NodeId source = graph.host_node(0);
  NodeId to = graph.host_node(graph.host_count() - 1);
  NodeId at = switch_of(graph, source);
};

// UGAL-L: on an empty network the minimal path, and one of Valiant's when the queues of the minimal
// path are long.
TEST(Ugal, TakesTheMinimalPathOrOneOverAnotherPlace) {
  for (Places network : networks()) {
    network.network.scheme = "ugal";
    Pair pair(network.network);
    const RouteState direct = pair.start(EmptyNetwork());
    EXPECT_EQ(pair.hops(direct), distances_to(pair.graph, switch_of(pair.graph, pair.to))[0]);
    LoadedNetwork view;
    for (const Candidate& one : pair.outputs(direct)) view.queues[one.channel] = bytes(1'000'000);
    RouteState non_minimal = pair.start(view);
    while (non_minimal == direct) non_minimal = pair.start(view);  // over the same output
    EXPECT_GT(pair.hops(non_minimal), pair.hops(direct));
    const auto places = [&](RouteState state) {
      return visited(pair.graph, *pair.routing, pair.source, pair.to, state,
                     network.switches_per_place, pair.random);
    };
    EXPECT_EQ(places(direct).count(non_minimal.intermediate), 0U);
    EXPECT_EQ(places(non_minimal).count(non_minimal.intermediate), 1U);
  }
}

// On a line of 8 switches the minimal path has one hop and all others two. Every other output has a
// queue of 10 kB, and packets are of 1 kB.
class UgalOnALine : public testing::Test {
 protected:
  // The least load of the minimal output, in bytes up to a megabyte, with which a packet leaves it.
  template <class SetLoad>
  [[nodiscard]] static std::int64_t leaves_from(const char* scheme, LoadedNetwork& view,
                                                SetLoad set) {
    Pair pair({scheme, "fbfly", {{"hosts", "1"}, {"dims", "8"}}});
    const RouteState direct = pair.start(EmptyNetwork());
    const Candidate minimal = pair.outputs(direct)[0];
    for (const ChannelId one : pair.graph.outputs(pair.at)) view.queues[one] = bytes(10'000);
    view.queues[minimal.channel] = {};
    std::int64_t stays = 0;
    std::int64_t leaves = 1'000'000;
    while (leaves - stays > 1) {
      const std::int64_t load = (stays + leaves) / 2;
      set(minimal, bytes(load));
      (pair.start(view) == direct ? stays : leaves) = load;
    }
    return leaves;
  }
};

// Load times remaining hops: 20 kB; with the bias of ugal, of 4 packets, 24 kB, and with that of
// ugal-credits 100 kB.
TEST_F(UgalOnALine, ComparesQueuesTimesRemainingHops) {
  LoadedNetwork view;
  const auto queue = [&](const Candidate& one, DataSize load) { view.queues[one.channel] = load; };
  EXPECT_EQ(leaves_from("ugal-queue", view, queue), 20'001);
  EXPECT_EQ(leaves_from("ugal", view, queue), 24'001);
  EXPECT_EQ(leaves_from("ugal-credits", view, queue), 100'001);
}

// What waits at the other end is what is missing beyond a round trip, on the packet's own virtual
// channel.
TEST_F(UgalOnALine, SeesWhatWaitsBehindTheFirstChannel) {
  LoadedNetwork view;
  view.in_a_round_trip = bytes(5'000);
  const auto missing = [&](const Candidate& one, DataSize load) {
    view.missing[{one.channel, one.vc}] = load;
  };
  EXPECT_EQ(leaves_from("ugal", view, missing), 29'001);
  EXPECT_EQ(leaves_from("ugal-credits", view, missing), 100'001);
  EXPECT_EQ(leaves_from("ugal-queue", view, missing), 1'000'000) << "looks at queues alone";
  const auto of_another = [&](const Candidate& one, DataSize load) {
    view.missing = {{{one.channel, static_cast<std::uint8_t>(1 - one.vc)}, load}};
  };
  EXPECT_EQ(leaves_from("ugal", view, of_another), 1'000'000);
}

TEST(Piggyback, LeavesTheMinimalPathWhenItsGlobalLinkIsReported) {
  Pair pair({"piggyback", "dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}}});
  const CongestionNotifications* notifications = pair.routing->notifications();
  ASSERT_NE(notifications, nullptr);
  const NotificationGroup group = notifications->group(pair.at);
  EXPECT_EQ(group.switches, 4U);
  EXPECT_EQ(group.channels_each, 2U);
  const RouteState direct = pair.start(EmptyNetwork());
  int left = 0;
  for (std::uint32_t number = 0; number < group.switches * group.channels_each; ++number) {
    LoadedNetwork view;
    view.congested = {number};
    left += pair.start(view) == direct ? 0 : 1;
  }
  EXPECT_EQ(left, 1) << "of the eight global links one is on the minimal path";
}

const Case kCase{"conditional", "dragonfly", {{"p", "3"}, {"a", "4"}, {"h", "2"}}};

class Conditional : public testing::Test {
 protected:
  [[nodiscard]] RouteState start(std::uint32_t from, std::uint32_t to, const CongestionView& view) {
    return routing_->start(graph_.host_node(from), graph_.host_node(to), random_, view);
  }
  [[nodiscard]] Candidate output(NodeId at, std::uint32_t to, RouteState state) {
    routing_->candidates(at, graph_.host_node(to), state, outputs_);
    EXPECT_EQ(outputs_.size(), 1U);
    return outputs_[0];
  }
  // While every output between switches is paused.
  [[nodiscard]] RouteState start_paused(std::uint32_t from, std::uint32_t to) {
    LoadedNetwork view;
    for (std::uint32_t s = 0; s < graph_.switch_count(); ++s)
      for (const ChannelId one : graph_.outputs(graph_.switch_node(s))) view.shut.insert(one);
    return start(from, to, view);
  }

  Graph graph_ = build(kCase);
  std::unique_ptr<Routing> routing_ = route(kCase, graph_);
  RandomStream random_{1, "conditional"};
  Candidates outputs_;
};

TEST_F(Conditional, HasAlternativesForOtherGroupsOnly) {
  const auto diverts = [&](std::uint32_t to) {
    return start_paused(0, to) != start(0, to, EmptyNetwork());
  };
  EXPECT_FALSE(diverts(1));   // on the same switch
  EXPECT_FALSE(diverts(11));  // in the same group
  EXPECT_TRUE(diverts(12));
}

// Port i of a host has the switch's global link i modulo 2: ports 6 and 7, after 3 hosts and 3
// switches.
TEST_F(Conditional, SendsEachHostOverALinkOfItsOwnSwitch) {
  const NodeId at = graph_.switch_node(1);
  for (std::uint32_t port = 0; port < 3; ++port) {
    const RouteState direct = start(3 + port, 50, EmptyNetwork());
    const RouteState alternative = start_paused(3 + port, 50);
    ASSERT_NE(alternative, direct);
    const Candidate non_minimal = output(at, 50, alternative);
    EXPECT_EQ(non_minimal.channel, graph_.outputs(at)[6 + port % 2]);
    EXPECT_EQ(non_minimal.vc, 0);
    // From there on, the direct way.
    EXPECT_EQ(routing_->advance(at, non_minimal, alternative), direct);
  }
}

// A packet that waits for its direct output turns away when that is paused; one that waits for the
// output of its alternative stays.
TEST_F(Conditional, DivertsWhatWaitsForAPausedOutput) {
  const PauseDiversion* diversion = routing_->pause_diversion();
  ASSERT_NE(diversion, nullptr);
  const NodeId at = graph_.switch_node(1);
  const Candidate direct = output(at, 50, start(3, 50, EmptyNetwork()));
  const RouteState alternative = start_paused(3, 50);
  const auto divert = [&](const Candidate& waits_for, const CongestionView& view) {
    return diversion->divert(graph_.host_node(3), graph_.host_node(50), waits_for, view);
  };
  LoadedNetwork paused;
  paused.shut = {direct.channel};
  EXPECT_EQ(divert(direct, paused), alternative);
  EXPECT_EQ(divert(direct, EmptyNetwork()), std::nullopt);
  EXPECT_EQ(divert(output(at, 50, alternative), paused), std::nullopt);
}

// l0 g1 l1.
TEST_F(Conditional, TakesItsClassesInOrder) {
  std::vector<std::uint8_t> classes;
  const NodeId first = graph_.switch_node(1);
  std::uint32_t to = 12;
  while (routing_->remaining_hops(first, graph_.host_node(to), start(3, to, EmptyNetwork())) < 3)
    ++to;
  RouteState state = start(3, to, EmptyNetwork());
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
