// SPDX-License-Identifier: Apache-2.0
//
// Up*/down* routing on any graph: the ranks of switches, the lengths of legal paths, and what the
// schemes that go up and then down share.
//
// The numbering (Schroeder et al., "Autonet: a High-speed,
// Self-configuring Local Area Network Using Point-to-point Links"): a breadth-first search from the
// switch with the most links ranks the switches in the order in which it finds them, the smallest
// number first among equals. A link leads up to the smaller rank.
#pragma once

#include "schemes.hpp"
#include "tables.hpp"

#include "ebb/routing/routing.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ebb::routing {

class Ranks {
 public:
  explicit Ranks(const Graph& graph);

  // From the root on.
  [[nodiscard]] std::span<const NodeId> order() const { return order_; }
  // Of two switches.
  [[nodiscard]] bool goes_up(NodeId from, NodeId to) const {
    return rank_[index(to)] < rank_[index(from)];
  }
  [[nodiscard]] std::size_t memory_bytes() const {
    return order_.capacity() * sizeof(NodeId) + rank_.capacity() * sizeof(std::uint32_t);
  }

 private:
  std::vector<NodeId> order_;
  std::vector<std::uint32_t> rank_;  // by switch
};

// RouteState::phase of a packet.
inline constexpr std::uint8_t kMayGoUp = 0;
inline constexpr std::uint8_t kOnlyDown = 1;

// The lengths of the legal paths of up*/down*: up any number of times, then down any number of
// times, and never up again. A path ends where it meets its destination. Two bytes per (destination
// switch, switch).
class RankedPathLengths {
 public:
  enum class Kind : std::uint8_t { shortest, longest };

  explicit RankedPathLengths(const Graph& graph) : legal_(graph), down_(graph) {}

  // False when a path is too long for a byte.
  [[nodiscard]] bool fill(const Graph& graph, const Ranks& ranks, Kind kind);

  // From a switch in a phase to a switch with hosts; kUnreachable where no legal path is left.
  [[nodiscard]] int links(NodeId at, NodeId destination, std::uint8_t phase) const {
    return (phase == kMayGoUp ? legal_ : down_).row(destination)[index(at)];
  }
  [[nodiscard]] std::size_t memory_bytes() const {
    return legal_.memory_bytes() + down_.memory_bytes();
  }

 private:
  Tables legal_;  // hops of the path that may still go up
  Tables down_;   // hops of the path that only goes down
};

// What the schemes share that go up and then down by rank. One virtual channel: ranks fall, then
// rise, so there is no cycle of channel dependencies.
class RankedRouting : public Routing {
 public:
  explicit RankedRouting(const Graph& graph) : graph_(graph), ranks_(graph), shortest_(graph) {}

  // False when two switches are too far apart for a byte.
  [[nodiscard]] virtual bool fill() {
    return shortest_.fill(graph_, ranks_, RankedPathLengths::Kind::shortest);
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
      const auto extra_hops = static_cast<std::uint8_t>(links + 1 - shortest);
      if (may_take(extra_hops)) out.push({channel, 0, extra_hops});
    }
  }

  [[nodiscard]] RouteState advance(NodeId at, const Candidate& taken,
                                   RouteState state) const final {
    const NodeId next = graph_.target(taken.channel);
    if (graph_.is_host(next) || !ranks_.goes_up(at, next)) state.phase = kOnlyDown;
    return state;
  }

  [[nodiscard]] int remaining_hops(NodeId at, NodeId destination, RouteState state) const final {
    return bound().links(at, access_switch(graph_, destination), state.phase);
  }

 protected:
  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] const Ranks& ranks() const { return ranks_; }
  [[nodiscard]] const RankedPathLengths& shortest() const { return shortest_; }

 private:
  // Whether an output may be taken whose shortest path has so many hops more than that of the best.
  [[nodiscard]] virtual bool may_take(std::uint8_t extra_hops) const = 0;
  // The lengths of the longest paths that packets can take.
  [[nodiscard]] virtual const RankedPathLengths& bound() const = 0;

  const Graph& graph_;
  Ranks ranks_;
  RankedPathLengths shortest_;
};

}  // namespace ebb::routing
