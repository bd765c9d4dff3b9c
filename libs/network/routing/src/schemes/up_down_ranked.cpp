// SPDX-License-Identifier: Apache-2.0
//
// Up*/down* on any graph (ranked.hpp): a route goes up any number of times, then down any number of
// times, and never up again. One virtual channel, on any graph; the price is longer routes and a
// busy root.
//
// up-down-tree takes the shortest of these routes. Two bytes per (destination switch, switch) of
// tables.
//
// up-down-nonminimal offers every legal output: a packet that has not gone down yet may take every
// link up, and every packet each link down from which its destination can be reached by going down
// only. So a switch has several outputs for most destinations, and links can sleep while others
// carry what is on its way. Candidates say how many hops longer their path is. A packet may turn
// round where it stops going up. Four bytes per (destination switch, switch) of tables.

#include "ranked.hpp"
#include "schemes.hpp"

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
  [[nodiscard]] bool may_take(std::uint8_t extra_hops) const override { return extra_hops == 0; }
  [[nodiscard]] const RankedPathLengths& bound() const override { return shortest(); }
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

namespace ebb::routing::up_down_nonminimal {
namespace {

class UpDownNonminimal final : public RankedRouting {
 public:
  explicit UpDownNonminimal(const Graph& graph) : RankedRouting(graph), longest_(graph) {}

  [[nodiscard]] bool fill() override {
    return RankedRouting::fill() &&
           longest_.fill(graph(), ranks(), RankedPathLengths::Kind::longest);
  }

  [[nodiscard]] std::size_t memory_bytes() const override {
    return sizeof(*this) + ranks().memory_bytes() + shortest().memory_bytes() +
           longest_.memory_bytes();
  }

 private:
  [[nodiscard]] bool may_take(std::uint8_t /*extra_hops*/) const override { return true; }
  [[nodiscard]] const RankedPathLengths& bound() const override { return longest_; }

  RankedPathLengths longest_;
};

Result<std::unique_ptr<Routing>> make(const Graph& graph) {
  if (auto fits = check_width(topology::degrees(graph).most); !fits) return fail(fits.error());
  if (auto fits = Tables::check_size(graph, 4); !fits) return fail(fits.error());
  auto routing = std::make_unique<UpDownNonminimal>(graph);
  if (!routing->fill()) {
    return fail(
        "up-down-nonminimal handles paths of up to 254 links; up-down-tree keeps to the shortest");
  }
  return routing;
}

}  // namespace

Scheme scheme() {
  return {.name = "up-down-nonminimal",
          .summary = "the same with every legal output, however long its way; 1 virtual channel",
          .families = {},
          .make = make};
}

}  // namespace ebb::routing::up_down_nonminimal
