// SPDX-License-Identifier: Apache-2.0
#include "schemes/up_down_tree.hpp"

#include "access.hpp"
#include "origin.hpp"
#include "tables/tables.hpp"

#include "ebb/topology/metrics.hpp"

#include <algorithm>

namespace ebb::routing::up_down_tree {
namespace {

constexpr std::uint8_t kMayGoUp = 0;
constexpr std::uint8_t kOnlyDown = 1;

std::uint32_t links_to_switches(const Graph& graph, NodeId node) {
  const auto outputs = graph.outputs(node);
  return static_cast<std::uint32_t>(
      std::count_if(outputs.begin(), outputs.end(),
                    [&](ChannelId channel) { return !graph.is_host(graph.target(channel)); }));
}

// Switches in the order of a breadth-first search from the one with the most links, the smallest
// number first among equals.
std::vector<NodeId> search_order(const Graph& graph) {
  NodeId root = graph.switch_node(0);
  for (std::uint32_t s = 1; s < graph.switch_count(); ++s) {
    if (links_to_switches(graph, NodeId{s}) > links_to_switches(graph, root)) root = NodeId{s};
  }
  std::vector<bool> seen(graph.switch_count(), false);
  std::vector<NodeId> order = {root};
  seen[index(root)] = true;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const ChannelId channel : graph.outputs(order[i])) {
      const NodeId next = graph.target(channel);
      if (graph.is_host(next) || seen[index(next)]) continue;
      seen[index(next)] = true;
      order.push_back(next);
    }
  }
  return order;
}

class UpDownTree final : public Routing {
 public:
  explicit UpDownTree(const Graph& graph)
      : graph_(graph), rank_(graph.switch_count(), 0), legal_(graph), down_(graph) {}

  // False when two switches are too far apart for a byte.
  [[nodiscard]] bool fill() {
    const std::vector<NodeId> order = search_order(graph_);
    for (std::uint32_t i = 0; i < order.size(); ++i) rank_[index(order[i])] = i;
    for (const NodeId destination : legal_.destinations()) {
      if (!fill_down(destination, order) || !fill_legal(destination, order)) return false;
    }
    return true;
  }

  [[nodiscard]] int virtual_channels() const override { return 1; }

  void candidates(NodeId at, NodeId destination, RouteState state, Candidates& out) const override {
    out.clear();
    const NodeId to = access_switch(graph_, destination);
    if (at == to) return out.push(delivery(graph_, destination));
    const auto legal = legal_.row(to);
    const auto down = down_.row(to);
    const int here = state.phase == kMayGoUp ? legal[index(at)] : down[index(at)];
    for (const ChannelId channel : graph_.outputs(at)) {
      const NodeId next = graph_.target(channel);
      if (graph_.is_host(next)) continue;
      const bool up = goes_up(at, next);
      if (up && state.phase == kOnlyDown) continue;
      if ((up ? legal : down)[index(next)] + 1 == here) out.push({channel, 0});
    }
  }

  [[nodiscard]] RouteState advance(NodeId at, const Candidate& taken,
                                   RouteState state) const override {
    if (!goes_up(at, graph_.target(taken.channel))) state.phase = kOnlyDown;
    return state;
  }

  [[nodiscard]] int links_ahead(NodeId at, NodeId destination, RouteState state) const override {
    const Tables& table = state.phase == kMayGoUp ? legal_ : down_;
    return table.row(access_switch(graph_, destination))[index(at)];
  }

  [[nodiscard]] std::size_t memory_bytes() const override {
    return sizeof(*this) + rank_.capacity() * sizeof(std::uint32_t) + legal_.memory_bytes() +
           down_.memory_bytes();
  }

 private:
  [[nodiscard]] bool goes_up(NodeId from, NodeId to) const {
    return !graph_.is_host(to) && rank_[index(to)] < rank_[index(from)];
  }

  // Links of the shortest way that only goes down. It passes ascending ranks, so one pass from the
  // last rank to the first finds it.
  [[nodiscard]] bool fill_down(NodeId destination, const std::vector<NodeId>& order) {
    const auto down = down_.row(destination);
    down[index(destination)] = 0;
    return std::all_of(order.rbegin(), order.rend(),
                       [&](NodeId s) { return s == destination || improve(s, down, false); });
  }

  // The same for ways that go up first: up links lead to smaller ranks.
  [[nodiscard]] bool fill_legal(NodeId destination, const std::vector<NodeId>& order) {
    const auto legal = legal_.row(destination);
    const auto down = down_.row(destination);
    std::copy(down.begin(), down.end(), legal.begin());
    return std::all_of(order.begin(), order.end(), [&](NodeId s) {
      return improve(s, legal, true) && legal[index(s)] != kUnreachable;
    });
  }

  // Makes links[s] one more than the least of the switches above or below it, if that is less.
  [[nodiscard]] bool improve(NodeId s, std::span<std::uint8_t> links, bool up) const {
    for (const ChannelId channel : graph_.outputs(s)) {
      const NodeId next = graph_.target(channel);
      if (graph_.is_host(next) || goes_up(s, next) != up) continue;
      const int longer = links[index(next)] + 1;
      if (longer == kUnreachable) return false;
      if (longer < links[index(s)]) links[index(s)] = static_cast<std::uint8_t>(longer);
    }
    return true;
  }

  const Graph& graph_;
  std::vector<std::uint32_t> rank_;  // by switch: when the search found it
  Tables legal_;                     // links of the shortest way up, then down
  Tables down_;                      // links of the shortest way down
};

Result<std::unique_ptr<Routing>> make(const Graph& graph) {
  if (auto fits = check_width(topology::degrees(graph).most); !fits) return fail(fits.error());
  if (auto fits = Tables::check_size(graph, 2); !fits) return fail(fits.error());
  auto routing = std::make_unique<UpDownTree>(graph);
  if (!routing->fill()) return fail("up-down-tree handles paths of up to 254 links");
  return routing;
}

}  // namespace

Scheme scheme() {
  return {.name = "up-down-tree",
          .summary = "up a spanning tree, then down, by tables; 1 virtual channel",
          .families = {},
          .make = make};
}

}  // namespace ebb::routing::up_down_tree
