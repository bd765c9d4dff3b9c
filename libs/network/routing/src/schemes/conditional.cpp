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

#include "ebb/routing/congestion.hpp"

#include <algorithm>

namespace ebb::routing::conditional {
namespace {

constexpr std::uint8_t kNonMinimal = 0;
constexpr std::uint8_t kDirect = 1;

constexpr std::uint8_t kNonMinimalClass = 0;
constexpr WayClasses kDirectClasses{.first_local = 0, .global = 1, .last_local = 1};

class Conditional final : public Routing, public PauseDiversion {
 public:
  explicit Conditional(const Graph& graph) : dragonfly_(graph) {}

  [[nodiscard]] int virtual_channels() const override { return 2; }
  [[nodiscard]] const PauseDiversion* pause_diversion() const override { return this; }

  // The alternative while every output of the direct way is paused, or the queue for it full.
  [[nodiscard]] RouteState start(NodeId source, NodeId destination, RandomStream& /*random*/,
                                 const CongestionView& view) const override {
    const auto alternative = alternative_of(source, destination);
    if (!alternative) return direct();
    const Candidates outputs = direct_outputs(source, destination);
    return all_shut(outputs, view) ? *alternative : direct();
  }

  // The default rule of the output is off: packets that wait for it are looked up again.
  [[nodiscard]] std::optional<RouteState> divert(NodeId source, NodeId destination,
                                                 const Candidate& waits_for,
                                                 const CongestionView& view) const override {
    const auto alternative = alternative_of(source, destination);
    if (!alternative) return std::nullopt;
    const Candidates outputs = direct_outputs(source, destination);
    const bool waits = std::any_of(outputs.begin(), outputs.end(), [&](const Candidate& one) {
      return one.channel == waits_for.channel && one.vc == waits_for.vc;
    });
    return waits && all_shut(outputs, view) ? alternative : std::nullopt;
  }

  [[nodiscard]] std::vector<RouteState> all_starts(NodeId source,
                                                   NodeId destination) const override {
    std::vector<RouteState> states = {direct()};
    if (const auto alternative = alternative_of(source, destination))
      states.push_back(*alternative);
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

  [[nodiscard]] std::optional<RouteState> alternative_of(NodeId source, NodeId destination) const {
    const std::uint32_t from = dragonfly_.switch_of(source);
    const std::uint32_t to = dragonfly_.switch_of(destination);
    const std::size_t globals = dragonfly_.globals(NodeId{from}).size();
    if (globals == 0 || dragonfly_.group_of(from) == dragonfly_.group_of(to)) return std::nullopt;
    const std::uint32_t port =
        dragonfly_.graph().host_number(source) % dragonfly_.hosts_of_switch();
    const auto own = static_cast<std::uint32_t>(port % globals);
    return RouteState{.intermediate = own, .phase = kNonMinimal};
  }

  [[nodiscard]] Candidates direct_outputs(NodeId source, NodeId destination) const {
    Candidates outputs;
    candidates(NodeId{dragonfly_.switch_of(source)}, destination, direct(), outputs);
    return outputs;
  }

  [[nodiscard]] static bool all_shut(const Candidates& outputs, const CongestionView& view) {
    return std::all_of(outputs.begin(), outputs.end(),
                       [&](const Candidate& one) { return view.is_shut(one); });
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
