// SPDX-License-Identifier: Apache-2.0
//
// Minimal routing between groups. On a dragonfly: local, global, local; the fewest links with one
// global link between groups, choosing among parallel ones. A way over a third group can be shorter
// in links but would burden two global links, so it is not taken.
//
// On a Dragonfly+: up, global, down, choosing among the spines with a global link to the group of
// the destination; up and down inside a group. Links of one kind never follow each other, so one
// virtual channel is enough.

#include "families/dragonfly.hpp"
#include "families/dragonfly_plus.hpp"
#include "schemes.hpp"

namespace ebb::routing::minimal {
namespace {

// Groups: Dragonfly or DragonflyPlus.
template <class Groups, int kVirtualChannels>
class Minimal final : public Routing {
 public:
  explicit Minimal(const Graph& graph) : groups_(graph) {}

  [[nodiscard]] const Groups& groups() const { return groups_; }

  [[nodiscard]] int virtual_channels() const override { return kVirtualChannels; }

  void candidates(NodeId at, NodeId destination, RouteState /*state*/,
                  Candidates& out) const override {
    out.clear();
    const std::uint32_t to = groups_.switch_of(destination);
    if (index(at) == to) return out.push(delivery(groups_.graph(), destination));
    groups_.step(index(at), to, 0, out);
  }

  [[nodiscard]] RouteState advance(NodeId /*at*/, const Candidate& /*taken*/,
                                   RouteState state) const override {
    return state;
  }

  [[nodiscard]] int remaining_hops(NodeId at, NodeId destination,
                                   RouteState /*state*/) const override {
    return groups_.distance(index(at), groups_.switch_of(destination));
  }

  [[nodiscard]] std::size_t memory_bytes() const override {
    return sizeof(*this) + groups_.memory_bytes();
  }

 private:
  Groups groups_;
};

template <class Made>
Result<std::unique_ptr<Routing>> make_checked(const Graph& graph) {
  auto routing = std::make_unique<Made>(graph);
  if (auto fits = check_width(routing->groups().width()); !fits) return fail(fits.error());
  return routing;
}

Result<std::unique_ptr<Routing>> make(const Graph& graph) {
  return graph.origin().family == "dragonfly" ? make_checked<Minimal<Dragonfly, 2>>(graph)
                                              : make_checked<Minimal<DragonflyPlus, 1>>(graph);
}

}  // namespace

Scheme scheme() {
  return {
      .name = "minimal",
      .summary = "local, global, local; 2 virtual channels; on a Dragonfly+ up, global, down; 1",
      .families = {"dragonfly", "dragonfly-plus"},
      .make = make};
}

}  // namespace ebb::routing::minimal
