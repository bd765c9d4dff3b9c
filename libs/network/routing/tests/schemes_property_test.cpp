// SPDX-License-Identifier: Apache-2.0
//
// What holds for every scheme on every network: it cannot deadlock, every packet arrives, and it
// never leaves the legal outputs. A new scheme is covered without a change here.
#include "networks.hpp"

#include "ebb/routing/analysis.hpp"

#include <fmt/format.h>

#include <set>
#include <tuple>

namespace ebb::routing {
namespace {

class EveryScheme : public testing::TestWithParam<Case> {};

void has_no_cycle(const Graph& graph, const Routing& routing) {
  const auto report = find_deadlock(graph, routing);
  ASSERT_TRUE(report) << to_string(report.error());
  ASSERT_TRUE(report->cycle.empty()) << cycle_text(graph, report->cycle);
  ASSERT_EQ(report->virtual_channels, routing.virtual_channels());
}

TEST_P(EveryScheme, HasNoCycleOfDependencies) {
  const Graph graph = build(GetParam());
  has_no_cycle(graph, *route(GetParam(), graph));
}

// All that a packet from `source` can meet on its way, step by step.
class Walk {
 public:
  Walk(const Graph& graph, const Routing& routing, NodeId destination)
      : graph_(graph), routing_(routing), destination_(destination) {}

  void from(NodeId source) {
    for (const RouteState state : routing_.all_starts(source, destination_))
      visit(switch_of(graph_, source), state);
  }

 private:
  void visit(NodeId at, RouteState state) {
    if (!seen_.insert({index(at), state.intermediate, state.phase, state.hops, state.input_port})
             .second)
      return;
    const int ahead = routing_.remaining_hops(at, destination_, state);
    Candidates outputs;
    routing_.candidates(at, destination_, state, outputs);
    ASSERT_FALSE(outputs.empty());
    std::set<ChannelId> distinct;
    for (const Candidate& one : outputs) {
      EXPECT_TRUE(distinct.insert(one.channel).second) << "an output is offered twice";
      ASSERT_EQ(graph_.source(one.channel), at);
      ASSERT_LT(one.vc, routing_.virtual_channels());
      const NodeId next = graph_.target(one.channel);
      if (at == switch_of(graph_, destination_) && ahead == 0) {
        EXPECT_EQ(next, destination_);
        EXPECT_EQ(one.vc, 0);
        EXPECT_EQ(outputs.size(), 1U);
        continue;
      }
      ASSERT_FALSE(graph_.is_host(next));
      const RouteState after = routing_.advance(at, one, state);
      ASSERT_LT(routing_.remaining_hops(next, destination_, after), ahead);
      visit(next, after);
    }
  }

  const Graph& graph_;
  const Routing& routing_;
  NodeId destination_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, int, int, int>> seen_;
};

void comes_nearer(const Graph& graph, const Routing& routing) {
  for (std::uint32_t d = 0; d < graph.host_count(); ++d) {
    Walk walk(graph, routing, graph.host_node(d));
    for (std::uint32_t s = 0; s < graph.host_count(); ++s) {
      if (s != d) walk.from(graph.host_node(s));
    }
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST_P(EveryScheme, ComesNearerWithEveryStep) {
  const Graph graph = build(GetParam());
  comes_nearer(graph, *route(GetParam(), graph));
}

TEST_P(EveryScheme, StartsAsItSaysItCan) {
  const Graph graph = build(GetParam());
  const auto routing = route(GetParam(), graph);
  RandomStream random(1, "test");
  for (std::uint32_t d = 1; d < graph.host_count(); ++d) {
    const auto all = routing->all_starts(graph.host_node(0), graph.host_node(d));
    const auto known = [&](RouteState state) {
      return std::find(all.begin(), all.end(), state) != all.end();
    };
    LoadedNetwork view;
    EXPECT_TRUE(known(routing->start(graph.host_node(0), graph.host_node(d), random, view)));
    for (const ChannelId one : graph.outputs(switch_of(graph, graph.host_node(0)))) {
      view.queues[one] = bytes(static_cast<std::int64_t>(random.below(100'000)));
      if (random.below(2) == 0) view.shut.insert(one);
    }
    EXPECT_TRUE(known(routing->start(graph.host_node(0), graph.host_node(d), random, view)));
  }
}

// Every small shape of the families whose shapes differ in kind, not only in size.
std::vector<Case> sweep(const std::string& family) {
  std::vector<Case> cases;
  const auto text = [](int value) { return std::to_string(value); };
  if (family == "clos_chassis") {
    for (int hosts = 1; hosts <= 8; ++hosts)
      cases.push_back({"up-down", family, {{"hosts", text(hosts)}, {"chip_ports", "4"}}});
    for (int hosts = 1; hosts <= 100; hosts += 3)
      cases.push_back({"up-down", family, {{"hosts", text(hosts)}, {"chip_ports", "8"}}});
  }
  for (int ports = 2; family == "clos" && ports <= 6; ports += 2) {
    for (int levels = 2; levels <= 4; ++levels) {
      for (int hosts = 1; hosts <= 40; ++hosts)
        cases.push_back(
            {"up-down",
             family,
             {{"ports", text(ports)}, {"levels", text(levels)}, {"hosts", text(hosts)}}});
    }
  }
  for (int a = 1; family == "dragonfly" && a <= 4; ++a) {
    for (int h = 1; h <= 3; ++h) {
      for (int g = 2; g <= a * h + 1; ++g) {
        for (const char* scheme : {"minimal", "ugal"})
          cases.push_back(
              {scheme, family, {{"p", "1"}, {"a", text(a)}, {"h", text(h)}, {"g", text(g)}}});
      }
    }
  }
  for (int spines = 1; family == "dragonfly-plus" && spines <= 3; ++spines) {
    for (int h = 1; h <= 3; ++h) {
      for (int g = 2; g <= spines * h + 1; ++g) {
        for (const char* scheme : {"minimal", "ugal"})
          cases.push_back({scheme,
                           family,
                           {{"p", "1"},
                            {"leaves", "2"},
                            {"spines", text(spines)},
                            {"h", text(h)},
                            {"g", text(g)}}});
      }
    }
  }
  return cases;
}

class EveryShape : public testing::TestWithParam<std::string> {};

TEST_P(EveryShape, HasNoCycleAndComesNearer) {
  int tried = 0;
  for (const Case& one : sweep(GetParam())) {
    if (!topology::properties(one.family, one.parameters)) continue;  // a clos that cannot be wired
    SCOPED_TRACE(text_of(one));
    const Graph graph = build(one);
    const auto routing = route(one, graph);
    has_no_cycle(graph, *routing);
    comes_nearer(graph, *routing);
    if (HasFatalFailure()) return;
    ++tried;
  }
  EXPECT_GT(tried, 40);
}

INSTANTIATE_TEST_SUITE_P(Small, EveryShape,
                         testing::Values("clos", "clos_chassis", "dragonfly", "dragonfly-plus"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

INSTANTIATE_TEST_SUITE_P(Small, EveryScheme, testing::ValuesIn(small_cases()), name_of);

}  // namespace
}  // namespace ebb::routing
