// SPDX-License-Identifier: Apache-2.0
//
// Schemes that claim shortest paths, measured against a search; adaptive ones must offer all of
// them.
#include "networks.hpp"

#include <set>

namespace ebb::routing {
namespace {

// Outputs of `at` that lie on a shortest path.
std::set<ChannelId> shortest_outputs(const Graph& graph, const std::vector<int>& links, NodeId at) {
  std::set<ChannelId> outputs;
  for (const ChannelId channel : graph.outputs(at)) {
    const NodeId next = graph.target(channel);
    if (!graph.is_host(next) && links[index(next)] + 1 == links[index(at)]) outputs.insert(channel);
  }
  return outputs;
}

std::set<ChannelId> offered(const Routing& routing, NodeId at, NodeId to, RouteState state = {}) {
  Candidates outputs;
  routing.candidates(at, to, state, outputs);
  std::set<ChannelId> channels;
  for (const Candidate& one : outputs) channels.insert(one.channel);
  return channels;
}

template <class Check>
void for_each_switch(const Graph& graph, const Check& check) {
  for (std::uint32_t d = 0; d < graph.host_count(); ++d) {
    const NodeId to = graph.host_node(d);
    const std::vector<int> links = distances_to(graph, switch_of(graph, to));
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
      if (links[s] > 0) check(NodeId{s}, to, links);
    }
  }
}

bool is_minimal(const Case& one) {
  return one.scheme == "minimal-adaptive" || one.scheme == "dimension-order" ||
         one.scheme == "shortest-path" || (one.scheme == "up-down" && one.family != "clos_chassis");
}

std::vector<Case> minimal_cases(bool fully_adaptive) {
  std::vector<Case> cases;
  for (Case& one : small_cases()) {
    if (is_minimal(one) && !(fully_adaptive && one.scheme == "dimension-order"))
      cases.push_back(std::move(one));
  }
  return cases;
}

// With ComesNearerWithEveryStep this makes every route as long as the shortest.
TEST(Minimal, RoutesAreAsLongAsASearchFinds) {
  for (const Case& one : minimal_cases(false)) {
    SCOPED_TRACE(text_of(one));
    const Graph graph = build(one);
    const auto routing = route(one, graph);
    for_each_switch(graph, [&](NodeId at, NodeId to, const std::vector<int>& links) {
      EXPECT_EQ(routing->remaining_hops(at, to, {}), links[index(at)]);
    });
  }
}

TEST(Minimal, AdaptiveSchemesOfferEveryShortestPath) {
  for (const Case& one : minimal_cases(true)) {
    SCOPED_TRACE(text_of(one));
    const Graph graph = build(one);
    const auto routing = route(one, graph);
    for_each_switch(graph, [&](NodeId at, NodeId to, const std::vector<int>& links) {
      EXPECT_EQ(offered(*routing, at, to), shortest_outputs(graph, links, at));
    });
  }
}

// Links from every switch with at most one global link: a search over (switch, global links left).
std::vector<int> one_global_distances(const Graph& graph, NodeId to, std::uint32_t a) {
  const std::uint32_t n = graph.switch_count();
  std::vector<int> links(std::size_t{2} * n, -1);
  std::vector<std::uint32_t> queue = {index(to)};
  links[index(to)] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const std::uint32_t here = queue[i] % n;
    const std::uint32_t used = queue[i] / n;
    for (const ChannelId channel : graph.outputs(NodeId{here})) {
      const NodeId next = graph.target(channel);
      if (graph.is_host(next)) continue;
      const std::uint32_t after = used + (index(next) / a != here / a ? 1 : 0);
      const std::size_t place = std::size_t{after} * n + index(next);
      if (after > 1 || links[place] >= 0) continue;
      links[place] = links[queue[i]] + 1;
      queue.push_back(static_cast<std::uint32_t>(place));
    }
  }
  for (std::uint32_t s = 0; s < n; ++s) {
    if (s / a != index(to) / a) links[s] = links[n + s];
  }
  links.resize(n);
  return links;
}

TEST(Minimal, DragonflyTakesTheShortestWayWithOneGlobalLink) {
  for (const Case& one : small_cases()) {
    if (one.scheme != "minimal" || one.family != "dragonfly") continue;
    SCOPED_TRACE(text_of(one));
    const Graph graph = build(one);
    const auto routing = route(one, graph);
    const auto a = static_cast<std::uint32_t>(std::stoi(one.parameters[1].second));
    for (std::uint32_t d = 0; d < graph.host_count(); ++d) {
      const NodeId to = graph.host_node(d);
      const auto links = one_global_distances(graph, switch_of(graph, to), a);
      for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
        ASSERT_EQ(routing->remaining_hops(NodeId{s}, to, {}), links[s]);
        if (links[s] == 0) continue;
        auto expected = shortest_outputs(graph, links, NodeId{s});
        std::erase_if(expected, [&](ChannelId channel) {
          const std::uint32_t group = index(graph.target(channel)) / a;
          return group != s / a && group != index(switch_of(graph, to)) / a;
        });
        ASSERT_EQ(offered(*routing, NodeId{s}, to), expected);
      }
    }
  }
}

}  // namespace
}  // namespace ebb::routing
