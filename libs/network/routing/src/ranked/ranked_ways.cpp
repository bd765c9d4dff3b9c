// SPDX-License-Identifier: Apache-2.0
#include "ranked/ranked_ways.hpp"

#include <algorithm>

namespace ebb::routing {
namespace {

using Kind = RankedWays::Kind;

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

bool RankedWays::fill(const Graph& graph, const Ranks& ranks, Kind kind) {
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
