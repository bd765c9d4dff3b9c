// SPDX-License-Identifier: Apache-2.0
//
// The proof must be able to fail: routings with too few virtual channels are caught.

#include "ebb/routing/analysis.hpp"

#include "networks.hpp"

#include <functional>
#include <set>

namespace ebb::routing {
namespace {

// With all its virtual channels folded into one.
std::string folded_cycle(const Case& one) {
  const Graph graph = build(one);
  const auto routing = route(one, graph);
  EXPECT_GT(routing->virtual_channels(), 1);
  const auto report = find_deadlock(graph, *routing, {.virtual_channels = 1});
  EXPECT_TRUE(report);
  return cycle_text(graph, report->cycle);
}

TEST(Deadlock, RingWithoutDatelineIsCaught) {
  EXPECT_EQ(folded_cycle({"dimension-order", "torus", {{"hosts", "1"}, {"dims", "4"}}}),
            "s0->s1 vc0, s1->s2 vc0, s2->s3 vc0, s3->s0 vc0");
}

// A ring that always has room for a packet is no reason to wait for good; that packets turn from
// one dimension into another in both orders still is.
TEST(Deadlock, BubblesBreakRingsAndNothingElse) {
  const Case ordered{"dimension-order", "torus", {{"hosts", "1"}, {"dims", "4x3"}}};
  const Graph graph = build(ordered);
  const auto report = find_deadlock(graph, *route(ordered, graph), {.bubble = true});
  ASSERT_TRUE(report);
  EXPECT_EQ(cycle_text(graph, report->cycle), "");
  EXPECT_EQ(report->virtual_channels, 1);
  EXPECT_GT(report->within_rings, 0U);
  const Case adaptive{"shortest-path", "torus", {{"hosts", "1"}, {"dims", "4x4"}}};
  const Graph square = build(adaptive);
  const auto turns = find_deadlock(square, *route(adaptive, square), {.bubble = true});
  ASSERT_TRUE(turns);
  EXPECT_FALSE(turns->cycle.empty());
  const Case flat{"dimension-order", "fbfly", {{"hosts", "1"}, {"dims", "4x4"}}};
  const Graph no_torus = build(flat);
  EXPECT_FALSE(find_deadlock(no_torus, *route(flat, no_torus), {.bubble = true}));
}

TEST(Deadlock, AdaptiveTurnsOnOneVirtualChannelAreCaught) {
  EXPECT_EQ(folded_cycle({"minimal-adaptive", "fbfly", {{"hosts", "1"}, {"dims", "2x2"}}}),
            "s0->s1 vc0, s1->s3 vc0, s3->s2 vc0, s2->s0 vc0");
}

TEST(Deadlock, EveryMultiChannelSchemeNeedsMoreThanOne) {
  const std::vector<Case> cases = {
      {"valiant", "fbfly", {{"hosts", "1"}, {"dims", "3x3"}}},
      {"ugal", "fbfly", {{"hosts", "1"}, {"dims", "3x3"}}},
      {"minimal", "dragonfly", {{"p", "1"}, {"a", "4"}, {"h", "2"}}},
      {"valiant", "dragonfly", {{"p", "1"}, {"a", "4"}, {"h", "2"}}},
      {"ugal", "dragonfly", {{"p", "1"}, {"a", "4"}, {"h", "2"}}},
      {"up-down", "clos_chassis", {{"hosts", "65"}, {"chip_ports", "8"}}},
      {"shortest-path", "irregular", {{"switches", "12"}, {"degree", "3"}, {"hosts", "1"}}}};
  for (const Case& one : cases) EXPECT_NE(folded_cycle(one), "") << text_of(one);
}

// What a routing that breaks its contract does at every switch.
using Outputs = std::function<void(const Graph&, NodeId at, NodeId to, Candidates&)>;

class Wrong final : public Routing {
 public:
  Wrong(const Graph& graph, Outputs outputs) : graph_(graph), outputs_(std::move(outputs)) {}

  [[nodiscard]] int virtual_channels() const override { return 1; }
  void candidates(NodeId at, NodeId to, RouteState /*state*/, Candidates& out) const override {
    out.clear();
    outputs_(graph_, at, to, out);
  }
  [[nodiscard]] RouteState advance(NodeId /*at*/, const Candidate& /*taken*/,
                                   RouteState state) const override {
    return state;
  }
  [[nodiscard]] int remaining_hops(NodeId /*at*/, NodeId /*to*/,
                                   RouteState /*state*/) const override {
    return 0;
  }
  [[nodiscard]] std::size_t memory_bytes() const override { return 0; }

 private:
  const Graph& graph_;
  Outputs outputs_;
};

std::string error(const Outputs& outputs) {
  const Graph graph = build({"", "complete", {{"switches", "3"}, {"hosts", "1"}}});
  const auto report = find_deadlock(graph, Wrong(graph, outputs));
  return report ? "" : report.error().front().message;
}

TEST(Deadlock, BrokenContractsAreNamed) {
  EXPECT_EQ(error([](const Graph&, NodeId, NodeId, Candidates&) {}),
            "a packet to h0 has no legal output at s1");
  EXPECT_EQ(error([](const Graph&, NodeId, NodeId, Candidates& out) {
              out.push({ChannelId{1}, 0});
            }),
            "a packet to h0 is sent to an output of another switch at s1");
  EXPECT_EQ(error([](const Graph& graph, NodeId at, NodeId, Candidates& out) {
              out.push({graph.outputs(at).back(), 1});
            }),
            "a packet to h0 gets an undeclared virtual channel at s1");
  EXPECT_EQ(error([](const Graph& graph, NodeId at, NodeId, Candidates& out) {
              out.push({graph.outputs(at).front(), 0});
            }),
            "a packet to h0 is sent to another host at s1");
}

TEST(Deadlock, GivesUpAtItsBudget) {
  const Case one{"valiant", "fbfly", {{"hosts", "1"}, {"dims", "3x3"}}};
  const Graph graph = build(one);
  const auto routing = route(one, graph);
  const auto report = find_deadlock(graph, *routing, {.budget = 100});
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().front().message.find("more than 100 states"), std::string::npos);
}

// A ring of four: four links, so eight channels. Two hops at most, and a packet two hops away may
// go either way, so every channel is followed by the next one of its direction.
TEST(Deadlock, CountsWhatItLookedAt) {
  const Case one{"dimension-order", "torus", {{"hosts", "1"}, {"dims", "4"}}};
  const Graph graph = build(one);
  const auto routing = route(one, graph);
  const auto report = find_deadlock(graph, *routing);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->channels, 8U);
  EXPECT_EQ(report->virtual_channels, 2);
  EXPECT_EQ(report->dependencies, 8U);
  EXPECT_EQ(report->states, 16U);
}

std::vector<Row> rows_of(const Case& one, const Graph& graph) {
  const auto rows = forwarding_rows(graph, *route(one, graph));
  EXPECT_TRUE(rows) << (rows ? "" : to_string(rows.error()));
  return rows.value_or(std::vector<Row>{});
}

ChannelId channel_between(const Graph& graph, std::uint32_t from, std::uint32_t to) {
  for (const ChannelId channel : graph.outputs(NodeId{from})) {
    if (graph.target(channel) == NodeId{to}) return channel;
  }
  ADD_FAILURE() << from << " and " << to << " are not neighbours";
  return {};
}

// By hand: three switches in a circle; ranks are 0, 1, 2. Who comes down may only go on down, which
// makes second rows: from 1 to 2 a packet may go up to 0 first, unless it came from there.
TEST(Forwarding, ATriangleHasTheRowsCountedByHand) {
  const Case one{"up-down-nonminimal", "complete", {{"switches", "3"}, {"hosts", "2"}}};
  const Graph graph = build(one);
  const auto row = [&](std::uint32_t at, std::uint32_t to, const std::vector<std::uint32_t>& by) {
    Row wanted{NodeId{at}, NodeId{to}, {}};
    for (const std::uint32_t next : by) wanted.channels.push_back(channel_between(graph, at, next));
    std::sort(wanted.channels.begin(), wanted.channels.end());
    return wanted;
  };
  std::vector<Row> wanted = {row(0, 1, {1}), row(0, 2, {1, 2}), row(1, 0, {0}),   row(1, 2, {0, 2}),
                             row(1, 2, {2}), row(2, 0, {0, 1}), row(2, 1, {0, 1})};
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(rows_of(one, graph), wanted);
}

// Of every scheme on every small network: rows leave their switch for another one, each stands once
// and in order, and every switch with hosts has one for every other.
TEST(Forwarding, RowsOfEverySchemeAreSound) {
  for (const Case& one : small_cases()) {
    SCOPED_TRACE(text_of(one));
    const Graph graph = build(one);
    const auto rows = rows_of(one, graph);
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
    EXPECT_EQ(std::adjacent_find(rows.begin(), rows.end()), rows.end());
    std::set<std::pair<NodeId, NodeId>> pairs;
    for (const Row& row : rows) {
      pairs.insert({row.at, row.destination});
      ASSERT_FALSE(row.channels.empty());
      EXPECT_TRUE(std::is_sorted(row.channels.begin(), row.channels.end()));
      for (const ChannelId channel : row.channels) {
        EXPECT_EQ(graph.source(channel), row.at);
        EXPECT_FALSE(graph.is_host(graph.target(channel)));
      }
    }
    for (std::uint32_t a = 0; a < graph.host_count(); ++a) {
      for (std::uint32_t b = 0; b < graph.host_count(); ++b) {
        const NodeId from = switch_of(graph, graph.host_node(a));
        const NodeId to = switch_of(graph, graph.host_node(b));
        EXPECT_TRUE(from == to || pairs.contains({from, to}));
      }
    }
  }
}

TEST(Forwarding, GivesUpAtItsBudget) {
  const Case one{"valiant", "fbfly", {{"hosts", "1"}, {"dims", "3x3"}}};
  const Graph graph = build(one);
  const auto rows = forwarding_rows(graph, *route(one, graph), 100);
  ASSERT_FALSE(rows);
  EXPECT_NE(rows.error().front().message.find("more than 100 states"), std::string::npos);
}

}  // namespace
}  // namespace ebb::routing
