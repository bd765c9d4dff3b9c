// SPDX-License-Identifier: Apache-2.0
#include "ranked.hpp"

#include <algorithm>

namespace ebb::routing {
namespace {

std::uint32_t links_to_switches(const Graph& graph, NodeId node) {
  const auto outputs = graph.outputs(node);
  return static_cast<std::uint32_t>(
      std::count_if(outputs.begin(), outputs.end(),
                    [&](ChannelId channel) { return !graph.is_host(graph.target(channel)); }));
}

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

}  // namespace

Ranks::Ranks(const Graph& graph) : order_(search_order(graph)), rank_(graph.switch_count(), 0) {
  for (std::uint32_t i = 0; i < order_.size(); ++i) rank_[index(order_[i])] = i;
}

namespace {

using Kind = RankedPathLengths::Kind;

// Fills the rows of one destination.
class Fill {
 public:
  Fill(const Graph& graph, const Ranks& ranks, NodeId destination, Kind kind)
      : graph_(graph), ranks_(ranks), destination_(destination), kind_(kind) {}

  // A way down passes ascending ranks, so one pass from the last rank to the first finds it.
  [[nodiscard]] bool down(std::span<std::uint8_t> links) const {
    links[index(destination_)] = 0;
    const auto order = ranks_.order();
    return std::all_of(order.rbegin(), order.rend(),
                       [&](NodeId s) { return improve(s, links, false); });
  }

  // The same for ways that go up first: up links lead to smaller ranks.
  [[nodiscard]] bool up(std::span<std::uint8_t> links) const {
    const auto order = ranks_.order();
    return std::all_of(order.begin(), order.end(), [&](NodeId s) {
      return improve(s, links, true) && links[index(s)] != kUnreachable;
    });
  }

 private:
  // Makes links[s] one more than the best of the switches above or below it, if that is better.
  [[nodiscard]] bool improve(NodeId s, std::span<std::uint8_t> links, bool up) const {
    if (s == destination_) return true;
    for (const ChannelId channel : graph_.outputs(s)) {
      const NodeId next = graph_.target(channel);
      if (graph_.is_host(next) || ranks_.goes_up(s, next) != up) continue;
      if (links[index(next)] == kUnreachable) continue;
      const int one_more = links[index(next)] + 1;
      if (one_more == kUnreachable) return false;
      if (is_better(one_more, links[index(s)]))
        links[index(s)] = static_cast<std::uint8_t>(one_more);
    }
    return true;
  }

  [[nodiscard]] bool is_better(int way, int known) const {
    return known == kUnreachable || (kind_ == Kind::shortest ? way < known : way > known);
  }

  const Graph& graph_;
  const Ranks& ranks_;
  NodeId destination_;
  Kind kind_;
};

}  // namespace

bool RankedPathLengths::fill(const Graph& graph, const Ranks& ranks, Kind kind) {
  return std::all_of(legal_.destinations().begin(), legal_.destinations().end(),
                     [&](NodeId destination) {
                       const Fill fill(graph, ranks, destination, kind);
                       const auto down = down_.row(destination);
                       if (!fill.down(down)) return false;
                       const auto legal = legal_.row(destination);
                       std::copy(down.begin(), down.end(), legal.begin());
                       return fill.up(legal);
                     });
}

}  // namespace ebb::routing
