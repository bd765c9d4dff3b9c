// SPDX-License-Identifier: Apache-2.0
#include "schemes/up_down_tree.hpp"

#include "origin.hpp"
#include "ranked/ranked_routing.hpp"

#include "ebb/topology/metrics.hpp"

namespace ebb::routing::up_down_tree {
namespace {

class UpDownTree final : public RankedRouting {
 public:
  using RankedRouting::RankedRouting;

  [[nodiscard]] std::size_t memory_bytes() const override {
    return sizeof(*this) + ranks().memory_bytes() + shortest().memory_bytes();
  }

 private:
  [[nodiscard]] bool may_take(std::uint8_t detour) const override { return detour == 0; }
  [[nodiscard]] const RankedWays& bound() const override { return shortest(); }
};

Result<std::unique_ptr<Routing>> make(const Graph& graph) {
  if (auto fits = check_width(topology::degrees(graph).most); !fits) return fail(fits.error());
  if (auto fits = Tables::check_size(graph, 2); !fits) return fail(fits.error());
  auto routing = std::make_unique<UpDownTree>(graph);
  if (!routing->fill()) return fail("up-down-tree handles paths of up to 254 links");
  return routing;
}

}  // namespace

Scheme scheme() {
  return {.name = "up-down-tree",
          .summary = "up a spanning tree, then down, by tables; 1 virtual channel",
          .families = {},
          .make = make};
}

}  // namespace ebb::routing::up_down_tree
