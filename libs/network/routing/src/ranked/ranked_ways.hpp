// SPDX-License-Identifier: Apache-2.0
//
// How long the legal ways of up*/down* are: up any number of times, then down any number of times,
// and never up again. A way ends where it meets its destination. Two bytes per (destination switch,
// switch).
#pragma once

#include "ranked/ranks.hpp"
#include "tables/tables.hpp"

namespace ebb::routing {

// RouteState::phase of a packet.
inline constexpr std::uint8_t kMayGoUp = 0;
inline constexpr std::uint8_t kOnlyDown = 1;

class RankedWays {
 public:
  enum class Kind : std::uint8_t { shortest, longest };

  explicit RankedWays(const Graph& graph) : legal_(graph), down_(graph) {}

  // False when a way is too long for a byte.
  [[nodiscard]] bool fill(const Graph& graph, const Ranks& ranks, Kind kind);

  // From a switch in a phase to a switch with hosts; kUnreachable where no legal way is left.
  [[nodiscard]] int links(NodeId at, NodeId destination, std::uint8_t phase) const {
    return (phase == kMayGoUp ? legal_ : down_).row(destination)[index(at)];
  }
  [[nodiscard]] std::size_t memory_bytes() const {
    return legal_.memory_bytes() + down_.memory_bytes();
  }

 private:
  Tables legal_;  // links of the way that may still go up
  Tables down_;   // links of the way that only goes down
};

}  // namespace ebb::routing
