// SPDX-License-Identifier: Apache-2.0
//
// Valiant: every packet first goes to a random place and from there to its destination, so that no
// traffic pattern can overload a link. The place is a switch on a flattened butterfly (dimension
// order on both legs) and a group on a dragonfly (minimal on both legs).
//
// UGAL-L: the caller chooses, packet by packet, between the minimal path and such a non-minimal
// path.
//
// Piggyback (Jiang, Kim, Dally: "Indirect Adaptive Routing on Large Scale Interconnection
// Networks", ISCA 2009): UGAL-L on a dragonfly whose switches tell each other, within a group,
// which global links are congested; a packet whose minimal path has one of these takes the
// non-minimal path.
//
// State: phase 0 on the way to the intermediate place, phase 1 from there on. The first leg and the
// second have virtual channels of their own.

#include "families/dragonfly.hpp"
#include "families/grid.hpp"
#include "schemes.hpp"

#include <algorithm>

namespace ebb::routing {
namespace {

constexpr std::uint8_t kFirstLeg = 0;
constexpr std::uint8_t kSecondLeg = 1;

// What Valiant needs to know of a network: its places, and how to go to one or to a switch.
class FbflyPlaces {
 public:
  explicit FbflyPlaces(const Graph& graph) : grid_(graph) {}

  [[nodiscard]] const Graph& graph() const { return grid_.graph(); }
  [[nodiscard]] static int virtual_channels() { return 2; }
  [[nodiscard]] std::uint32_t count() const { return graph().switch_count(); }
  [[nodiscard]] static std::uint32_t place_of(std::uint32_t s) { return s; }
  [[nodiscard]] std::uint32_t switch_of(NodeId host) const { return grid_.switch_of(host); }
  [[nodiscard]] std::uint64_t width() const { return grid_.parallel_links(); }
  [[nodiscard]] std::size_t memory_bytes() const { return grid_.memory_bytes(); }

  void step_to_place(std::uint32_t from, std::uint32_t place, Candidates& out) const {
    grid_.ordered_step(from, place, 0, out);
  }
  void step(std::uint32_t from, std::uint32_t to, Candidates& out) const {
    grid_.ordered_step(from, to, 1, out);
  }
  [[nodiscard]] int links(std::uint32_t from, std::uint32_t to) const {
    return grid_.distance(from, to);
  }
  [[nodiscard]] int links_over(std::uint32_t from, std::uint32_t place, std::uint32_t to) const {
    return grid_.distance(from, place) + grid_.distance(place, to);
  }

 private:
  Grid grid_;
};

class DragonflyPlaces {
 public:
  explicit DragonflyPlaces(const Graph& graph) : dragonfly_(graph) {}

  [[nodiscard]] const Graph& graph() const { return dragonfly_.graph(); }
  [[nodiscard]] static int virtual_channels() { return 3; }
  [[nodiscard]] std::uint32_t count() const { return dragonfly_.groups(); }
  [[nodiscard]] std::uint32_t place_of(std::uint32_t s) const { return dragonfly_.group_of(s); }
  [[nodiscard]] std::uint32_t switch_of(NodeId host) const { return dragonfly_.switch_of(host); }
  [[nodiscard]] std::uint64_t width() const { return dragonfly_.width(); }
  [[nodiscard]] std::size_t memory_bytes() const { return dragonfly_.memory_bytes(); }
  [[nodiscard]] const Dragonfly& dragonfly() const { return dragonfly_; }

  void step_to_place(std::uint32_t from, std::uint32_t place, Candidates& out) const {
    dragonfly_.step_to_group(from, place, 0, out);
  }
  void step(std::uint32_t from, std::uint32_t to, Candidates& out) const {
    dragonfly_.step(from, to, 1, out);
  }
  [[nodiscard]] int links(std::uint32_t from, std::uint32_t to) const {
    return dragonfly_.distance(from, to);
  }
  // Where the packet enters the group depends on the link it takes: three links are the most from
  // there.
  [[nodiscard]] int links_over(std::uint32_t from, std::uint32_t place,
                               std::uint32_t /*to*/) const {
    return dragonfly_.distance_to_group(from, place) + 3;
  }

 private:
  Dragonfly dragonfly_;
};

enum class Choice : std::uint8_t { always_non_minimal, caller };

template <class Places>
class Valiant : public Routing {
 public:
  Valiant(const Graph& graph, Choice choice) : places_(graph), choice_(choice) {}

  [[nodiscard]] const Places& places() const { return places_; }

  [[nodiscard]] int virtual_channels() const override { return places_.virtual_channels(); }

  [[nodiscard]] Start start(NodeId source, NodeId destination,
                            RandomStream& random) const override {
    const Ends ends = ends_of(source, destination);
    if (ends.others == 0) return {direct(), std::nullopt};
    const auto drawn = static_cast<std::uint32_t>(random.below(ends.others));
    const RouteState non_minimal = over(ends, drawn);
    if (choice_ == Choice::always_non_minimal) return {non_minimal, std::nullopt};
    return {direct(), non_minimal};
  }

  [[nodiscard]] std::vector<RouteState> all_starts(NodeId source,
                                                   NodeId destination) const override {
    const Ends ends = ends_of(source, destination);
    std::vector<RouteState> states;
    if (ends.others == 0 || choice_ == Choice::caller) states.push_back(direct());
    for (std::uint32_t i = 0; i < ends.others; ++i) states.push_back(over(ends, i));
    return states;
  }

  void candidates(NodeId at, NodeId destination, RouteState state, Candidates& out) const override {
    out.clear();
    const std::uint32_t to = places_.switch_of(destination);
    if (on_first_leg(at, state)) return places_.step_to_place(index(at), state.intermediate, out);
    if (index(at) == to) return out.push(delivery(places_.graph(), destination));
    places_.step(index(at), to, out);
  }

  [[nodiscard]] RouteState advance(NodeId at, const Candidate& /*taken*/,
                                   RouteState state) const override {
    return on_first_leg(at, state) ? state : direct();
  }

  [[nodiscard]] int remaining_hops(NodeId at, NodeId destination, RouteState state) const override {
    const std::uint32_t to = places_.switch_of(destination);
    return on_first_leg(at, state) ? places_.links_over(index(at), state.intermediate, to)
                                   : places_.links(index(at), to);
  }

  [[nodiscard]] std::size_t memory_bytes() const override {
    return sizeof(*this) + places_.memory_bytes();
  }

 private:
  // The places of a pair, ascending, and how many others there are to go over: none for a packet
  // that stays on its switch.
  struct Ends {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    std::uint32_t others = 0;
  };

  [[nodiscard]] Ends ends_of(NodeId source, NodeId destination) const {
    const std::uint32_t from = places_.switch_of(source);
    const std::uint32_t to = places_.switch_of(destination);
    if (from == to) return {};
    const auto [low, high] = std::minmax({places_.place_of(from), places_.place_of(to)});
    return {low, high, places_.count() - (low == high ? 1 : 2)};
  }

  // By way of the i-th place that is not an end.
  [[nodiscard]] static RouteState over(const Ends& ends, std::uint32_t i) {
    std::uint32_t place = i;
    if (place >= ends.low) ++place;
    if (place >= ends.high && ends.high != ends.low) ++place;
    return {.intermediate = place, .phase = kFirstLeg};
  }

  [[nodiscard]] static RouteState direct() { return {.phase = kSecondLeg}; }

  [[nodiscard]] bool on_first_leg(NodeId at, RouteState state) const {
    return state.phase == kFirstLeg && places_.place_of(index(at)) != state.intermediate;
  }

  Places places_;
  Choice choice_;
};

// UGAL that also hears, from the switches of its group, of their global links.
class Piggyback final : public Valiant<DragonflyPlaces> {
 public:
  explicit Piggyback(const Graph& graph) : Valiant(graph, Choice::caller) {}

  [[nodiscard]] NonMinimalRule non_minimal_rule() const override {
    return NonMinimalRule::congested;
  }

  [[nodiscard]] NotificationGroup notification_group(NodeId at) const override {
    const std::uint32_t switches = dragonfly().switches_of_group();
    const std::uint32_t first = dragonfly().group_of(index(at)) * switches;
    return {
        .first = NodeId{first}, .switches = switches, .channels_each = dragonfly().most_globals()};
  }

  [[nodiscard]] std::span<const ChannelId> notification_channels(NodeId at) const override {
    return dragonfly().globals(at);
  }

  [[nodiscard]] std::optional<std::uint32_t> minimal_path_notification(
      NodeId at, NodeId destination) const override {
    const std::uint32_t to = dragonfly().switch_of(destination);
    if (dragonfly().group_of(index(at)) == dragonfly().group_of(to)) return std::nullopt;
    const auto [near, slot] = dragonfly().gateway(index(at), to);
    return near * dragonfly().most_globals() + slot;
  }

 private:
  [[nodiscard]] const Dragonfly& dragonfly() const { return places().dragonfly(); }
};

template <class Places>
Result<std::unique_ptr<Routing>> make_on(const Graph& graph, Choice choice) {
  auto routing = std::make_unique<Valiant<Places>>(graph, choice);
  if (auto fits = check_width(routing->places().width()); !fits) return fail(fits.error());
  return routing;
}

Result<std::unique_ptr<Routing>> make(const Graph& graph, Choice choice) {
  return graph.origin().family == "dragonfly" ? make_on<DragonflyPlaces>(graph, choice)
                                              : make_on<FbflyPlaces>(graph, choice);
}

Result<std::unique_ptr<Routing>> make_valiant(const Graph& graph) {
  return make(graph, Choice::always_non_minimal);
}

Result<std::unique_ptr<Routing>> make_ugal(const Graph& graph) {
  return make(graph, Choice::caller);
}

Result<std::unique_ptr<Routing>> make_piggyback(const Graph& graph) {
  auto routing = std::make_unique<Piggyback>(graph);
  if (auto fits = check_width(routing->places().width()); !fits) return fail(fits.error());
  return routing;
}

}  // namespace

Scheme valiant::scheme() {
  return {.name = "valiant",
          .summary = "by way of a random switch or group; 2 virtual channels, on a dragonfly 3",
          .families = {"fbfly", "dragonfly"},
          .make = make_valiant};
}

Scheme ugal::scheme() {
  return {.name = "ugal",
          .summary =
              "the minimal path or a non-minimal one, whichever queues promise to be quicker; as "
              "valiant",
          .families = {"fbfly", "dragonfly"},
          .make = make_ugal};
}

Scheme piggyback::scheme() {
  return {.name = "piggyback",
          .summary = "as ugal, told by the switches of its group which global links are congested",
          .families = {"dragonfly"},
          .make = make_piggyback};
}

}  // namespace ebb::routing
