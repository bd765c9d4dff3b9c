// SPDX-License-Identifier: Apache-2.0
//
// Up, then down, on a folded Clos: adaptive among all uplinks that can reach the destination, then
// among the links that lead back to it.

#include "families/clos.hpp"
#include "families/clos_chassis.hpp"
#include "schemes.hpp"

#include "ebb/topology/metrics.hpp"

namespace ebb::routing::up_down {
namespace {

// Levels: Clos or ClosChassis. Where a packet is says all about what it may do next, so there is no
// state.
template <class Levels>
class UpDown final : public Routing {
 public:
  explicit UpDown(const Graph& graph) : graph_(graph), levels_(graph) {}

  [[nodiscard]] int virtual_channels() const override { return levels_.virtual_channels(); }

  void candidates(NodeId at, NodeId destination, RouteState /*state*/,
                  Candidates& out) const override {
    out.clear();
    const std::uint32_t to = levels_.switch_of(destination);
    if (index(at) == to) return out.push(delivery(graph_, destination));
    levels_.step(index(at), to, out);
  }

  [[nodiscard]] RouteState advance(NodeId /*at*/, const Candidate& /*taken*/,
                                   RouteState state) const override {
    return state;
  }

  [[nodiscard]] int remaining_hops(NodeId at, NodeId destination,
                                   RouteState /*state*/) const override {
    return levels_.remaining_hops(index(at), levels_.switch_of(destination));
  }

  [[nodiscard]] std::size_t memory_bytes() const override {
    return sizeof(*this) + levels_.memory_bytes();
  }

 private:
  const Graph& graph_;
  Levels levels_;
};

Result<std::unique_ptr<Routing>> make(const Graph& graph) {
  if (auto fits = check_width(topology::degrees(graph).most); !fits) return fail(fits.error());
  if (graph.origin().family == "clos_chassis") return std::make_unique<UpDown<ClosChassis>>(graph);
  return std::make_unique<UpDown<Clos>>(graph);
}

}  // namespace

Scheme scheme() {
  return {.name = "up-down",
          .summary =
              "up by any uplink that can reach the destination, then down; 1 virtual "
              "channel, with a partial chassis 2",
          .families = {"clos", "clos_chassis", "rail-clos"},
          .make = make};
}

}  // namespace ebb::routing::up_down
