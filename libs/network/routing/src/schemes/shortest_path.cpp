// SPDX-License-Identifier: Apache-2.0
//
// Any shortest path on any graph. The virtual channel is the number of links taken, so as many are
// needed as the longest shortest path between hosts has links. A byte per (destination switch,
// switch) of tables.

#include "schemes.hpp"
#include "tables.hpp"

#include "ebb/topology/metrics.hpp"

#include <algorithm>

namespace ebb::routing::shortest_path {
namespace {

class ShortestPath final : public Routing {
 public:
  explicit ShortestPath(const Graph& graph) : graph_(graph), links_(graph) {}

  // False when two switches are too far apart for a byte.
  [[nodiscard]] bool fill() {
    for (const NodeId destination : links_.destinations()) {
      if (!search(destination)) return false;
    }
    for (const NodeId destination : links_.destinations()) {
      for (const NodeId source : links_.destinations())
        diameter_ = std::max<int>(diameter_, links_.row(destination)[index(source)]);
    }
    return true;
  }

  [[nodiscard]] int virtual_channels() const override { return std::max(1, diameter_); }

  void candidates(NodeId at, NodeId destination, RouteState state, Candidates& out) const override {
    out.clear();
    const auto row = links_.row(access_switch(graph_, destination));
    const std::uint8_t here = row[index(at)];
    if (here == 0) return out.push(delivery(graph_, destination));
    for (const ChannelId channel : graph_.outputs(at)) {
      const NodeId next = graph_.target(channel);
      if (!graph_.is_host(next) && row[index(next)] + 1 == here) out.push({channel, state.hops});
    }
  }

  [[nodiscard]] RouteState advance(NodeId /*at*/, const Candidate& /*taken*/,
                                   RouteState state) const override {
    ++state.hops;
    return state;
  }

  [[nodiscard]] int remaining_hops(NodeId at, NodeId destination,
                                   RouteState /*state*/) const override {
    return links_.row(access_switch(graph_, destination))[index(at)];
  }

  [[nodiscard]] std::size_t memory_bytes() const override {
    return sizeof(*this) + links_.memory_bytes();
  }

 private:
  [[nodiscard]] bool search(NodeId destination) {
    const auto row = links_.row(destination);
    row[index(destination)] = 0;
    queue_.assign(1, destination);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const int links = row[index(queue_[i])] + 1;
      for (const ChannelId channel : graph_.outputs(queue_[i])) {
        const NodeId next = graph_.target(channel);
        if (graph_.is_host(next) || row[index(next)] != kUnreachable) continue;
        if (links == kUnreachable) return false;
        row[index(next)] = static_cast<std::uint8_t>(links);
        queue_.push_back(next);
      }
    }
    return true;
  }

  const Graph& graph_;
  Tables links_;  // to the destination
  int diameter_ = 0;
  std::vector<NodeId> queue_;
};

Result<std::unique_ptr<Routing>> make(const Graph& graph) {
  if (auto fits = check_width(topology::degrees(graph).most); !fits) return fail(fits.error());
  if (auto fits = Tables::check_size(graph, 1); !fits) return fail(fits.error());
  auto routing = std::make_unique<ShortestPath>(graph);
  if (!routing->fill()) return fail("shortest-path handles paths of up to 254 links");
  return routing;
}

}  // namespace

Scheme scheme() {
  return {.name = "shortest-path",
          .summary = "any shortest path, by tables; as many virtual channels as the diameter",
          .families = {},
          .make = make};
}

}  // namespace ebb::routing::shortest_path
