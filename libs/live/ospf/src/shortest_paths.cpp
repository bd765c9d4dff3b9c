// SPDX-License-Identifier: Apache-2.0
#include "shortest_paths.hpp"

#include <functional>
#include <queue>
#include <utility>

namespace ebb::ospf {

PathGraph::PathGraph(const LinkState& network) : into_(network.routers.size()) {
  edges_.reserve(2 * network.links.size());
  for (const Link& link : network.links) {
    into_[link.b.router].push_back(edges_.size());
    edges_.push_back({link.a.router, link.b.router, link.a.cost});
    into_[link.a.router].push_back(edges_.size());
    edges_.push_back({link.b.router, link.a.router, link.b.cost});
  }
}

void PathGraph::set_costs(std::size_t link, Cost a, Cost b) {
  edges_[2 * link].cost = a;
  edges_[2 * link + 1].cost = b;
}

void PathGraph::remove(std::size_t link) {
  edges_[2 * link].cost = edges_[2 * link + 1].cost = kUnreachable;
}

// Dijkstra's algorithm, from the destination backwards.
std::vector<std::uint64_t> PathGraph::distances(std::span<const Attachment> destination) const {
  using Reached = std::pair<std::uint64_t, Router>;
  std::vector<std::uint64_t> distances(size(), kUnreachable);
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
  for (const Attachment& one : destination) open.emplace(one.cost, one.router);
  while (!open.empty()) {
    const auto [distance, router] = open.top();
    open.pop();
    if (distances[router] <= distance) continue;
    distances[router] = distance;
    for (const std::size_t edge : into_[router]) {
      const Edge& one = edges_[edge];
      if (one.cost != kUnreachable) open.emplace(distance + one.cost, one.from);
    }
  }
  return distances;
}

void PathGraph::add_next_hops(const std::vector<std::uint64_t>& distances,
                              std::span<const Attachment> destination,
                              std::vector<std::vector<Router>>& next_hops) const {
  std::vector<bool> delivers(size(), false);  // by itself: its own attachment is the nearest
  for (const Attachment& one : destination) {
    if (distances[one.router] == one.cost) delivers[one.router] = true;
  }
  for (const Edge& one : edges_) {
    if (one.cost == kUnreachable || distances[one.to] == kUnreachable || delivers[one.from])
      continue;
    if (distances[one.to] + one.cost == distances[one.from]) next_hops[one.from].push_back(one.to);
  }
}

}  // namespace ebb::ospf
