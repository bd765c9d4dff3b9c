// SPDX-License-Identifier: Apache-2.0
//
// Minimal routing on a dragonfly: local, global, local; the fewest links with one global link
// between groups, choosing among parallel ones. A way over a third group can be shorter in links
// but would burden two global links, so it is not taken.

#include "families/dragonfly.hpp"
#include "schemes.hpp"

namespace ebb::routing::minimal {
namespace {

class Minimal final : public Routing {
 public:
  explicit Minimal(const Graph& graph) : dragonfly_(graph) {}

  [[nodiscard]] const Dragonfly& dragonfly() const { return dragonfly_; }

  [[nodiscard]] int virtual_channels() const override { return 2; }

  void candidates(NodeId at, NodeId destination, RouteState /*state*/,
                  Candidates& out) const override {
    out.clear();
    const std::uint32_t to = dragonfly_.switch_of(destination);
    if (index(at) == to) return out.push(delivery(dragonfly_.graph(), destination));
    dragonfly_.step(index(at), to, 0, out);
  }

  [[nodiscard]] RouteState advance(NodeId /*at*/, const Candidate& /*taken*/,
                                   RouteState state) const override {
    return state;
  }

  [[nodiscard]] int remaining_hops(NodeId at, NodeId destination,
                                   RouteState /*state*/) const override {
    return dragonfly_.distance(index(at), dragonfly_.switch_of(destination));
  }

  [[nodiscard]] std::size_t memory_bytes() const override {
    return sizeof(*this) + dragonfly_.memory_bytes();
  }

 private:
  Dragonfly dragonfly_;
};

Result<std::unique_ptr<Routing>> make(const Graph& graph) {
  auto routing = std::make_unique<Minimal>(graph);
  if (auto fits = check_width(routing->dragonfly().width()); !fits) return fail(fits.error());
  return routing;
}

}  // namespace

Scheme scheme() {
  return {.name = "minimal",
          .summary = "local, global, local; 2 virtual channels",
          .families = {"dragonfly"},
          .make = make};
}

}  // namespace ebb::routing::minimal
