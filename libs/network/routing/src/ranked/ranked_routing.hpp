// SPDX-License-Identifier: Apache-2.0
//
// What the schemes share that go up and then down by rank. One virtual channel: ranks fall, then
// rise, so no two packets wait for each other in a circle.
#pragma once

#include "access.hpp"
#include "ranked/ranked_ways.hpp"

namespace ebb::routing {

class RankedRouting : public Routing {
 public:
  explicit RankedRouting(const Graph& graph) : graph_(graph), ranks_(graph), shortest_(graph) {}

  // False when two switches are too far apart for a byte.
  [[nodiscard]] virtual bool fill() {
    return shortest_.fill(graph_, ranks_, RankedWays::Kind::shortest);
  }

  [[nodiscard]] int virtual_channels() const final { return 1; }

  void candidates(NodeId at, NodeId destination, RouteState state, Candidates& out) const final {
    out.clear();
    const NodeId to = access_switch(graph_, destination);
    if (at == to) return out.push(delivery(graph_, destination));
    const int shortest = shortest_.links(at, to, state.phase);
    for (const ChannelId channel : graph_.outputs(at)) {
      const NodeId next = graph_.target(channel);
      if (graph_.is_host(next)) continue;
      const bool up = ranks_.goes_up(at, next);
      if (up && state.phase == kOnlyDown) continue;
      const int links = shortest_.links(next, to, up ? kMayGoUp : kOnlyDown);
      if (links == kUnreachable) continue;
      const auto detour = static_cast<std::uint8_t>(links + 1 - shortest);
      if (may_take(detour)) out.push({channel, 0, detour});
    }
  }

  [[nodiscard]] RouteState advance(NodeId at, const Candidate& taken,
                                   RouteState state) const final {
    const NodeId next = graph_.target(taken.channel);
    if (graph_.is_host(next) || !ranks_.goes_up(at, next)) state.phase = kOnlyDown;
    return state;
  }

  [[nodiscard]] int links_ahead(NodeId at, NodeId destination, RouteState state) const final {
    return bound().links(at, access_switch(graph_, destination), state.phase);
  }

 protected:
  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] const Ranks& ranks() const { return ranks_; }
  [[nodiscard]] const RankedWays& shortest() const { return shortest_; }

 private:
  // An output whose shortest way is so many links longer than the shortest of all outputs.
  [[nodiscard]] virtual bool may_take(std::uint8_t detour) const = 0;
  // The longest ways that packets can take.
  [[nodiscard]] virtual const RankedWays& bound() const = 0;

  const Graph& graph_;
  Ranks ranks_;
  RankedWays shortest_;
};

}  // namespace ebb::routing
