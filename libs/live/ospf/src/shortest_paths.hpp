// SPDX-License-Identifier: Apache-2.0
//
// Shortest paths to a destination, from every router.
#pragma once

#include "ebb/ospf/link_state.hpp"

#include <limits>
#include <span>
#include <vector>

namespace ebb::ospf {

inline constexpr std::uint64_t kUnreachable = std::numeric_limits<std::uint64_t>::max();

// The network as a graph, with the costs of one link changed or without the link.
class PathGraph {
 public:
  explicit PathGraph(const LinkState& network);

  void set_costs(std::size_t link, Cost a, Cost b);
  void remove(std::size_t link);

  [[nodiscard]] std::size_t size() const { return into_.size(); }
  // By router, to the nearest of these.
  [[nodiscard]] std::vector<std::uint64_t> distances(std::span<const Attachment> destination) const;
  // Adds the routers that each router sends to, at these distances.
  void add_next_hops(const std::vector<std::uint64_t>& distances,
                     std::span<const Attachment> destination,
                     std::vector<std::vector<Router>>& next_hops) const;

 private:
  struct Edge {
    Router from = 0;
    Router to = 0;
    std::uint64_t cost = 0;  // kUnreachable: it was removed
  };

  std::vector<Edge> edges_;  // two for each link, from its end a and from its end b
  std::vector<std::vector<std::size_t>> into_;  // edges by the router that they lead to
};

}  // namespace ebb::ospf
