// SPDX-License-Identifier: Apache-2.0
//
// Minimal adaptive routing on a flattened butterfly: any coordinate that is still wrong may be
// corrected next. Every link taken corrects one, so the number of links taken is the virtual
// channel, and n dimensions need n of them.

#include "families/grid.hpp"
#include "schemes.hpp"

#include <algorithm>

namespace ebb::routing::minimal_adaptive {
namespace {

class MinimalAdaptive final : public Routing {
 public:
  explicit MinimalAdaptive(const Graph& graph) : grid_(graph) {}

  [[nodiscard]] int virtual_channels() const override { return std::max(1, grid_.dimensions()); }

  void candidates(NodeId at, NodeId destination, RouteState state, Candidates& out) const override {
    out.clear();
    const std::uint32_t to = grid_.switch_of(destination);
    if (index(at) == to) return out.push(delivery(grid_.graph(), destination));
    grid_.any_step(index(at), to, state.hops, out);
  }

  [[nodiscard]] RouteState advance(NodeId /*at*/, const Candidate& /*taken*/,
                                   RouteState state) const override {
    ++state.hops;
    return state;
  }

  [[nodiscard]] int remaining_hops(NodeId at, NodeId destination,
                                   RouteState /*state*/) const override {
    return grid_.distance(index(at), grid_.switch_of(destination));
  }

  [[nodiscard]] std::size_t memory_bytes() const override {
    return sizeof(*this) + grid_.memory_bytes();
  }

 private:
  Grid grid_;
};

Result<std::unique_ptr<Routing>> make(const Graph& graph) {
  auto routing = std::make_unique<MinimalAdaptive>(graph);
  if (auto fits = check_width(Grid(graph).parallel_links()); !fits) return fail(fits.error());
  return routing;
}

}  // namespace

Scheme scheme() {
  return {.name = "minimal-adaptive",
          .summary = "any coordinate that is still wrong; a virtual channel per dimension",
          .families = {"fbfly"},
          .make = make};
}

}  // namespace ebb::routing::minimal_adaptive
