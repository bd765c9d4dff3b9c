// SPDX-License-Identifier: Apache-2.0
//
// Dimension order: correct the first coordinate, then the second, and so on. The route is fixed but
// for parallel links and rings with two equally short ways round.

#include "families/grid.hpp"
#include "schemes.hpp"

namespace ebb::routing::dimension_order {
namespace {

class DimensionOrder final : public Routing {
 public:
  explicit DimensionOrder(const Graph& graph) : grid_(graph) {}

  [[nodiscard]] int virtual_channels() const override { return grid_.ordered_channels(); }

  void candidates(NodeId at, NodeId destination, RouteState /*state*/,
                  Candidates& out) const override {
    out.clear();
    const std::uint32_t to = grid_.switch_of(destination);
    if (index(at) == to) return out.push(delivery(grid_.graph(), destination));
    grid_.ordered_step(index(at), to, 0, out);
  }

  [[nodiscard]] RouteState advance(NodeId /*at*/, const Candidate& /*taken*/,
                                   RouteState state) const override {
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
  auto routing = std::make_unique<DimensionOrder>(graph);
  // Two ways round a ring, each with its parallel links.
  if (auto fits = check_width(2 * Grid(graph).parallel_links()); !fits) return fail(fits.error());
  return routing;
}

}  // namespace

Scheme scheme() {
  return {.name = "dimension-order",
          .summary = "one coordinate after the other; 1 virtual channel, on a torus 2",
          .families = {"fbfly", "mesh", "torus"},
          .make = make};
}

}  // namespace ebb::routing::dimension_order
