// SPDX-License-Identifier: Apache-2.0
//
// The numbering under up*/down* on any graph (Schroeder et al., "Autonet: a High-speed,
// Self-configuring Local Area Network Using Point-to-point Links"): a breadth-first search from the
// switch with the most links ranks the switches in the order in which it finds them, the smallest
// number first among equals. A link leads up to the smaller rank.
#pragma once

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

}  // namespace ebb::routing
