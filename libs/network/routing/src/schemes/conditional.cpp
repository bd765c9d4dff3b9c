// SPDX-License-Identifier: Apache-2.0
//
// Conditional rules on a dragonfly (Benito, Vallejo, Beivide: "On the Use of Commodity Ethernet
// Technology in Exascale HPC Systems", Section V): a switch holds for every other group a default
// rule, the direct way, which is off while its output is paused, and for every port of a host an
// alternative: host i of a switch goes over the switch's own global link i mod h, and from the
// group there by the direct way. Only frames that come from hosts have an alternative, and only for
// other groups.
//
// Two virtual channels, taken in the order g0 < l0 < g1 < l1: the global link of the non-minimal
// path is g0, the direct way l0, g1, l1. A rule names one output: of parallel links the first.
//
// State: phase 0 before the global link of the non-minimal path, which is number `intermediate` of
// the switch; phase 1 on a direct way.

#include "families/dragonfly.hpp"
#include "schemes.hpp"

namespace ebb::routing::conditional {
namespace {

constexpr std::uint8_t kNonMinimal = 0;
constexpr std::uint8_t kDirect = 1;

constexpr std::uint8_t kNonMinimalClass = 0;
constexpr WayClasses kDirectClasses{.first_local = 0, .global = 1, .last_local = 1};

class Conditional final : public Routing {
 public:
  explicit Conditional(const Graph& graph) : dragonfly_(graph) {}

  [[nodiscard]] int virtual_channels() const override { return 2; }
  [[nodiscard]] NonMinimalRule non_minimal_rule() const override { return NonMinimalRule::paused; }

  [[nodiscard]] Start start(NodeId source, NodeId destination,
                            RandomStream& /*random*/) const override {
    return start_of(source, destination);
  }

  [[nodiscard]] std::vector<RouteState> all_starts(NodeId source,
                                                   NodeId destination) const override {
    const Start start = start_of(source, destination);
    std::vector<RouteState> states = {start.state};
    if (start.non_minimal) states.push_back(*start.non_minimal);
    return states;
  }

  void candidates(NodeId at, NodeId destination, RouteState state, Candidates& out) const override {
    out.clear();
    if (state.phase == kNonMinimal)
      return out.push({dragonfly_.globals(at)[state.intermediate], kNonMinimalClass});
    const std::uint32_t to = dragonfly_.switch_of(destination);
    if (index(at) == to) return out.push(delivery(dragonfly_.graph(), destination));
    dragonfly_.step(index(at), to, kDirectClasses, out);
    const Candidate first = out[0];
    out.clear();
    out.push(first);
  }

  [[nodiscard]] RouteState advance(NodeId /*at*/, const Candidate& /*taken*/,
                                   RouteState /*state*/) const override {
    return direct();
  }

  [[nodiscard]] int remaining_hops(NodeId at, NodeId destination, RouteState state) const override {
    const std::uint32_t to = dragonfly_.switch_of(destination);
    if (state.phase == kDirect) return dragonfly_.distance(index(at), to);
    const NodeId over = dragonfly_.graph().target(dragonfly_.globals(at)[state.intermediate]);
    return 1 + dragonfly_.distance(index(over), to);
  }

  [[nodiscard]] std::size_t memory_bytes() const override {
    return sizeof(*this) + dragonfly_.memory_bytes();
  }

  [[nodiscard]] const Dragonfly& dragonfly() const { return dragonfly_; }

 private:
  [[nodiscard]] static RouteState direct() { return {.phase = kDirect}; }

  [[nodiscard]] Start start_of(NodeId source, NodeId destination) const {
    const std::uint32_t from = dragonfly_.switch_of(source);
    const std::uint32_t to = dragonfly_.switch_of(destination);
    const std::size_t globals = dragonfly_.globals(NodeId{from}).size();
    if (globals == 0 || dragonfly_.group_of(from) == dragonfly_.group_of(to))
      return {direct(), std::nullopt};
    const std::uint32_t port =
        dragonfly_.graph().host_number(source) % dragonfly_.hosts_of_switch();
    const auto own = static_cast<std::uint32_t>(port % globals);
    return {direct(), RouteState{.intermediate = own, .phase = kNonMinimal}};
  }

  Dragonfly dragonfly_;
};

Result<std::unique_ptr<Routing>> make(const Graph& graph) {
  auto routing = std::make_unique<Conditional>(graph);
  if (auto fits = check_width(routing->dragonfly().width()); !fits) return fail(fits.error());
  return routing;
}

}  // namespace

Scheme scheme() {
  return {.name = "conditional",
          .summary =
              "local, global, local; while that is paused, hosts go by their own global "
              "link; 2 virtual channels",
          .families = {"dragonfly"},
          .make = make};
}

}  // namespace ebb::routing::conditional
