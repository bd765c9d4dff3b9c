// SPDX-License-Identifier: Apache-2.0
#include "ebb/routing/forwarding.hpp"

#include "networks.hpp"

#include <set>

namespace ebb::routing {
namespace {

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
  const Case one{"up-down-ways", "complete", {{"switches", "3"}, {"hosts", "2"}}};
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
