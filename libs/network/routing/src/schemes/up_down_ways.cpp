// SPDX-License-Identifier: Apache-2.0
#include "schemes/up_down_ways.hpp"

#include "origin.hpp"
#include "ranked/ranked_routing.hpp"

#include "ebb/topology/metrics.hpp"

namespace ebb::routing::up_down_ways {
namespace {

class UpDownWays final : public RankedRouting {
 public:
  explicit UpDownWays(const Graph& graph) : RankedRouting(graph), longest_(graph) {}

  [[nodiscard]] bool fill() override {
    return RankedRouting::fill() && longest_.fill(graph(), ranks(), RankedWays::Kind::longest);
  }

  [[nodiscard]] std::size_t memory_bytes() const override {
    return sizeof(*this) + ranks().memory_bytes() + shortest().memory_bytes() +
           longest_.memory_bytes();
  }

 private:
  [[nodiscard]] bool may_take(std::uint8_t /*detour*/) const override { return true; }
  [[nodiscard]] const RankedWays& bound() const override { return longest_; }

  RankedWays longest_;
};

Result<std::unique_ptr<Routing>> make(const Graph& graph) {
  if (auto fits = check_width(topology::degrees(graph).most); !fits) return fail(fits.error());
  if (auto fits = Tables::check_size(graph, 4); !fits) return fail(fits.error());
  auto routing = std::make_unique<UpDownWays>(graph);
  if (!routing->fill())
    return fail("up-down-ways handles ways of up to 254 links; up-down-tree keeps to the shortest");
  return routing;
}

}  // namespace

Scheme scheme() {
  return {.name = "up-down-ways",
          .summary = "the same with every legal output, however long its way; 1 virtual channel",
          .families = {},
          .make = make};
}

}  // namespace ebb::routing::up_down_ways
