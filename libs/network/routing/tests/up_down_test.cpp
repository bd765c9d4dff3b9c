// SPDX-License-Identifier: Apache-2.0
#include "networks.hpp"

#include <map>
#include <optional>
#include <set>

namespace ebb::routing {
namespace {

// Chassis to which a chassis has links.
std::set<std::uint32_t> joined(const Graph& graph, std::uint32_t box) {
  std::set<std::uint32_t> boxes;
  const std::uint32_t chips = graph.chips_per_box();
  for (std::uint32_t chip = box * chips; chip < (box + 1) * chips; ++chip) {
    for (const ChannelId channel : graph.outputs(NodeId{chip})) {
      const NodeId other = graph.target(channel);
      if (!graph.is_host(other) && index(other) / chips != box) boxes.insert(index(other) / chips);
    }
  }
  return boxes;
}

// Uplinks of chip `at` whose upper chassis reaches the chassis `wanted`.
std::set<ChannelId> useful_uplinks(const Graph& graph, NodeId at,
                                   const std::set<std::uint32_t>& reach) {
  std::set<ChannelId> useful;
  const std::uint32_t chips = graph.chips_per_box();
  for (const ChannelId channel : graph.outputs(at)) {
    const NodeId other = graph.target(channel);
    if (graph.is_host(other) || index(other) / chips == index(at) / chips) continue;
    if (reach.count(index(other) / chips) > 0) useful.insert(channel);
  }
  return useful;
}

// One host in the last chassis, so it reaches one of five upper chassis, and chips have two
// uplinks: some must go up, the others must first change chips.
TEST(UpDown, TakesExactlyTheUplinksThatReachAPartialChassis) {
  const Case one{"up-down", "clos_chassis", {{"hosts", "65"}, {"chip_ports", "8"}}};
  const Graph graph = build(one);
  const auto routing = route(one, graph);
  EXPECT_EQ(routing->virtual_channels(), 2);
  int up = 0;
  int aside = 0;
  for (std::uint32_t d = 0; d < graph.host_count(); ++d) {
    const NodeId to = graph.host_node(d);
    const std::uint32_t box = index(switch_of(graph, to)) / graph.chips_per_box();
    const auto reach = joined(graph, box);
    for (std::uint32_t s = 0; s < graph.host_count(); ++s) {
      const NodeId at = switch_of(graph, graph.host_node(s));
      if (index(at) / graph.chips_per_box() == box) continue;
      Candidates outputs;
      routing->candidates(at, to, {}, outputs);
      std::set<ChannelId> offered;
      for (const Candidate& output : outputs) offered.insert(output.channel);
      const auto useful = useful_uplinks(graph, at, reach);
      if (useful.empty()) {
        ++aside;
        EXPECT_EQ(outputs.size(), 4U);  // two traces to each of two spine chips
      } else {
        ++up;
        EXPECT_EQ(offered, useful);
      }
    }
  }
  EXPECT_GT(up, 0);
  EXPECT_GT(aside, 0);
}

TEST(UpDown, NeedsOneVirtualChannelWhenEveryChassisIsReached) {
  const Case one{"up-down", "clos_chassis", {{"hosts", "1296"}, {"chip_ports", "36"}}};
  const Graph graph = build(one);
  EXPECT_EQ(route(one, graph)->virtual_channels(), 1);
}

}  // namespace

// up-down-nonminimal against a search that tries every legal route, one after the other.
namespace {

constexpr std::uint8_t kMayGoUp = 0;
constexpr std::uint8_t kOnlyDown = 1;

// In the order of a breadth-first search from the switch with the most outputs to switches.
std::vector<int> ranks_of(const Graph& graph) {
  const auto degree = [&](std::uint32_t s) {
    const auto outputs = graph.outputs(NodeId{s});
    return std::count_if(outputs.begin(), outputs.end(), [&](ChannelId channel) {
      return index(graph.target(channel)) < graph.switch_count();
    });
  };
  std::uint32_t root = 0;
  for (std::uint32_t s = 1; s < graph.switch_count(); ++s)
    root = degree(s) > degree(root) ? s : root;
  std::vector<int> ranks(graph.switch_count(), -1);
  std::vector<NodeId> found = {NodeId{root}};
  ranks[root] = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const ChannelId channel : graph.outputs(found[i])) {
      const NodeId next = graph.target(channel);
      if (graph.is_host(next) || ranks[index(next)] >= 0) continue;
      ranks[index(next)] = static_cast<int>(found.size());
      found.push_back(next);
    }
  }
  return ranks;
}

struct Lengths {
  int shortest = 0;
  int longest = 0;
};

// Every legal route, without a memory of what was tried.
class EveryRoute {
 public:
  EveryRoute(const Graph& graph, NodeId to) : graph_(graph), ranks_(ranks_of(graph)), to_(to) {}

  [[nodiscard]] std::optional<Lengths> from(NodeId at, std::uint8_t phase) const {
    if (at == to_) return Lengths{};
    std::optional<Lengths> all;
    for (const auto& [channel, by] : by_output(at, phase)) {
      if (!all) all = by;
      all->shortest = std::min(all->shortest, by.shortest);
      all->longest = std::max(all->longest, by.longest);
    }
    return all;
  }

  // Lengths of the routes that begin with an output, for every output that has one.
  [[nodiscard]] std::map<ChannelId, Lengths> by_output(NodeId at, std::uint8_t phase) const {
    std::map<ChannelId, Lengths> found;
    for (const ChannelId channel : graph_.outputs(at)) {
      const NodeId next = graph_.target(channel);
      if (graph_.is_host(next)) continue;
      const bool up = ranks_[index(next)] < ranks_[index(at)];
      if (up && phase == kOnlyDown) continue;
      if (const auto rest = from(next, up ? kMayGoUp : kOnlyDown))
        found[channel] = {rest->shortest + 1, rest->longest + 1};
    }
    return found;
  }

 private:
  const Graph& graph_;
  std::vector<int> ranks_;
  NodeId to_;
};

void compare(const Graph& graph, const Routing& routing, NodeId host, NodeId at,
             std::uint8_t phase) {
  const EveryRoute routes(graph, switch_of(graph, host));
  const auto all = routes.from(at, phase);
  if (!all) return;  // no packet is there in that phase
  const RouteState state{.phase = phase};
  EXPECT_EQ(routing.remaining_hops(at, host, state), all->longest);
  if (at == switch_of(graph, host)) return;
  Candidates outputs;
  routing.candidates(at, host, state, outputs);
  const auto wanted = routes.by_output(at, phase);
  ASSERT_EQ(outputs.size(), wanted.size());
  for (const Candidate& one : outputs) {
    ASSERT_TRUE(wanted.contains(one.channel));
    EXPECT_EQ(one.extra_hops, wanted.at(one.channel).shortest - all->shortest);
  }
}

std::vector<Case> graphs_to_search() {
  std::vector<Case> cases = {
      {"up-down-nonminimal", "mesh", {{"hosts", "1"}, {"dims", "3x3"}}},
      {"up-down-nonminimal", "torus", {{"hosts", "1"}, {"dims", "5"}}},
      {"up-down-nonminimal", "torus", {{"hosts", "1"}, {"dims", "3x3"}}},
      {"up-down-nonminimal", "complete", {{"switches", "4"}, {"hosts", "1"}, {"parallel", "2"}}}};
  for (const char* seed : {"1", "2", "3", "4", "5"}) {
    cases.push_back({"up-down-nonminimal",
                     "irregular",
                     {{"switches", "8"}, {"degree", "3"}, {"hosts", "1"}, {"seed", seed}}});
  }
  return cases;
}

TEST(UpDownNonminimal, OffersEveryLegalOutputAndKnowsTheLengthsOfAllRoutes) {
  for (const Case& one : graphs_to_search()) {
    SCOPED_TRACE(text_of(one));
    const Graph graph = build(one);
    const auto routing = route(one, graph);
    for (std::uint32_t d = 0; d < graph.host_count(); ++d) {
      for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
        for (const std::uint8_t phase : {kMayGoUp, kOnlyDown})
          compare(graph, *routing, graph.host_node(d), NodeId{s}, phase);
      }
    }
  }
}

// What it is for: where the tree leaves one output, there are others.
TEST(UpDownNonminimal, HasMoreOutputsThanTheTree) {
  const Case one{"up-down-nonminimal",
                 "irregular",
                 {{"switches", "16"}, {"degree", "4"}, {"hosts", "1"}, {"seed", "3"}}};
  const Graph graph = build(one);
  const auto ways = route(one, graph);
  const auto tree = make_routing("up-down-tree", graph).value();
  std::size_t more = 0;
  for (std::uint32_t d = 0; d < graph.host_count(); ++d) {
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
      Candidates all;
      Candidates shortest;
      ways->candidates(NodeId{s}, graph.host_node(d), {}, all);
      tree->candidates(NodeId{s}, graph.host_node(d), {}, shortest);
      const auto direct = std::count_if(
          all.begin(), all.end(), [](const Candidate& output) { return output.extra_hops == 0; });
      EXPECT_EQ(static_cast<std::size_t>(direct), shortest.size());
      more += all.size() - shortest.size();
    }
  }
  EXPECT_GT(more, 16U * 15U / 2U);
}

// What GPU g of a server sends to GPU g of another server of the pod never leaves their leaf; all
// else goes over a spine.
TEST(UpDown, GpusOfARailStayOnTheirLeaf) {
  const Case one{
      "up-down", "rail-clos", {{"ports", "8"}, {"pods", "2"}, {"servers", "4"}, {"gpus", "2"}}};
  const Graph graph = build(one);
  const auto routing = route(one, graph);
  for (std::uint32_t a = 0; a < graph.host_count(); ++a) {
    for (std::uint32_t b = 0; b < graph.host_count(); ++b) {
      const bool same_rail = a % 2 == b % 2 && a / 8 == b / 8;
      const NodeId at = switch_of(graph, graph.host_node(a));
      EXPECT_EQ(routing->remaining_hops(at, graph.host_node(b), {}), same_rail ? 0 : 2);
    }
  }
}

}  // namespace
}  // namespace ebb::routing
