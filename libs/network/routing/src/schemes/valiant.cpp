// SPDX-License-Identifier: Apache-2.0
//
// Valiant: every packet first goes to a random place and from there to its destination, so that no
// traffic pattern can overload a link. The place is a switch on a flattened butterfly (dimension
// order on both legs) and a group on a dragonfly or a Dragonfly+ (minimal on both legs).
//
// Valiant-any draws the place from all, the two ends included, and a packet that meets the switch
// of its destination on its first leg ends there.
//
// UGAL-L: chooses, packet by packet, between the minimal path and such a non-minimal path. The
// packet takes the non-minimal path when it promises to be quicker by a margin,
//
//   load(minimal) * remaining_hops(minimal) >
//       load(non-minimal) * remaining_hops(non-minimal) + bias.
//
// load(path) is the least load among the outputs on which the path can begin: what is queued for
// the output and, by rule, what waits behind it (UgalRule).
//
// Piggyback (Jiang, Kim, Dally: "Indirect Adaptive Routing on Large Scale Interconnection
// Networks", ISCA 2009): UGAL-L on a dragonfly whose switches tell each other, within a group,
// which global links are congested; a packet whose minimal path has one of these takes the
// non-minimal path.
//
// State: phase 0 on the way to the intermediate place, phase 1 from there on. The first leg and the
// second have virtual channels of their own.

#include "families/dragonfly.hpp"
#include "families/dragonfly_plus.hpp"
#include "families/grid.hpp"
#include "schemes.hpp"

#include "ebb/routing/congestion.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace ebb::routing {
namespace {

constexpr std::uint8_t kFirstLeg = 0;
constexpr std::uint8_t kSecondLeg = 1;

// What UGAL counts as the load of an output beside its queue.
enum class Downstream : std::uint8_t {
  ignored,
  waiting,  // missing credits beyond those of a round trip: data that waits at the other end
  missing   // all missing credits, those of data on the cable and of credits on their way included
};

struct UgalRule {
  Downstream downstream = Downstream::ignored;
  // In favour of the minimal path, in packets.
  int fbfly_bias = 0;
  int dragonfly_bias = 0;
};

// Why these numbers: docs/models/routing.md.
constexpr UgalRule kUgal{Downstream::waiting, 4, 2};
constexpr UgalRule kUgalQueue{Downstream::ignored, 0, 0};
constexpr UgalRule kUgalCredits{Downstream::missing, 80, 80};

// What Valiant needs to know of a network: its places, and how to go to one or to a switch.
class FbflyPlaces {
 public:
  explicit FbflyPlaces(const Graph& graph) : grid_(graph) {}

  [[nodiscard]] const Graph& graph() const { return grid_.graph(); }
  [[nodiscard]] static int virtual_channels() { return 2; }
  [[nodiscard]] static int bias(UgalRule rule) { return rule.fbfly_bias; }
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

// Networks of groups: a place is a group. Where a packet enters it depends on the link that it
// takes, so `kMostFromGroup` links are counted from there, the most that can follow.
template <class Groups, int kVirtualChannels, int kMostFromGroup>
class GroupPlaces {
 public:
  explicit GroupPlaces(const Graph& graph) : groups_(graph) {}

  [[nodiscard]] const Graph& graph() const { return groups_.graph(); }
  [[nodiscard]] static int virtual_channels() { return kVirtualChannels; }
  [[nodiscard]] static int bias(UgalRule rule) { return rule.dragonfly_bias; }
  [[nodiscard]] std::uint32_t count() const { return groups_.groups(); }
  [[nodiscard]] std::uint32_t place_of(std::uint32_t s) const { return groups_.group_of(s); }
  [[nodiscard]] std::uint32_t switch_of(NodeId host) const { return groups_.switch_of(host); }
  [[nodiscard]] std::uint64_t width() const { return groups_.width(); }
  [[nodiscard]] std::size_t memory_bytes() const { return groups_.memory_bytes(); }
  [[nodiscard]] const Groups& groups() const { return groups_; }

  void step_to_place(std::uint32_t from, std::uint32_t place, Candidates& out) const {
    groups_.step_to_group(from, place, 0, out);
  }
  void step(std::uint32_t from, std::uint32_t to, Candidates& out) const {
    groups_.step(from, to, 1, out);
  }
  [[nodiscard]] int links(std::uint32_t from, std::uint32_t to) const {
    return groups_.distance(from, to);
  }
  [[nodiscard]] int links_over(std::uint32_t from, std::uint32_t place,
                               std::uint32_t /*to*/) const {
    return groups_.distance_to_group(from, place) + kMostFromGroup;
  }

 private:
  Groups groups_;
};

using DragonflyPlaces = GroupPlaces<Dragonfly, 3, 3>;          // local, global, local
using DragonflyPlusPlaces = GroupPlaces<DragonflyPlus, 2, 4>;  // down, up, global, down

// Which places a packet goes over.
enum class Draw : std::uint8_t { others, any };

template <class Places>
class Valiant : public Routing {
 public:
  explicit Valiant(const Graph& graph, Draw draw = Draw::others) : places_(graph), draw_(draw) {}

  [[nodiscard]] const Places& places() const { return places_; }

  [[nodiscard]] int virtual_channels() const override { return places_.virtual_channels(); }

  [[nodiscard]] RouteState start(NodeId source, NodeId destination, RandomStream& random,
                                 const CongestionView& /*view*/) const override {
    return draw(source, destination, random).value_or(direct());
  }

  [[nodiscard]] std::vector<RouteState> all_starts(NodeId source,
                                                   NodeId destination) const override {
    const Ends ends = ends_of(source, destination);
    if (ends.others == 0) return {direct()};
    return all_non_minimal(ends);
  }

  void candidates(NodeId at, NodeId destination, RouteState state, Candidates& out) const override {
    out.clear();
    const std::uint32_t to = places_.switch_of(destination);
    if (on_first_leg(at, state) && !ends_at(index(at), to))
      return places_.step_to_place(index(at), state.intermediate, out);
    if (index(at) == to) return out.push(delivery(places_.graph(), destination));
    places_.step(index(at), to, out);
  }

  [[nodiscard]] RouteState advance(NodeId at, const Candidate& /*taken*/,
                                   RouteState state) const override {
    return on_first_leg(at, state) ? state : direct();
  }

  [[nodiscard]] int remaining_hops(NodeId at, NodeId destination, RouteState state) const override {
    const std::uint32_t to = places_.switch_of(destination);
    if (ends_at(index(at), to)) return 0;
    return on_first_leg(at, state) ? places_.links_over(index(at), state.intermediate, to)
                                   : places_.links(index(at), to);
  }

  [[nodiscard]] std::size_t memory_bytes() const override {
    return sizeof(*this) + places_.memory_bytes();
  }

 protected:
  // The places of a pair, ascending, and how many there are to go over: none for a packet that
  // stays on its switch.
  struct Ends {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    std::uint32_t others = 0;
    Draw draw = Draw::others;
  };

  [[nodiscard]] Ends ends_of(NodeId source, NodeId destination) const {
    const std::uint32_t from = places_.switch_of(source);
    const std::uint32_t to = places_.switch_of(destination);
    if (from == to) return {};
    const auto [low, high] = std::minmax({places_.place_of(from), places_.place_of(to)});
    if (draw_ == Draw::any) return {low, high, places_.count(), draw_};
    return {low, high, places_.count() - (low == high ? 1 : 2)};
  }

  // By way of the i-th place, or of the i-th that is not an end.
  [[nodiscard]] static RouteState over(const Ends& ends, std::uint32_t i) {
    if (ends.draw == Draw::any) return {.intermediate = i, .phase = kFirstLeg};
    std::uint32_t place = i;
    if (place >= ends.low) ++place;
    if (place >= ends.high && ends.high != ends.low) ++place;
    return {.intermediate = place, .phase = kFirstLeg};
  }

  [[nodiscard]] static RouteState direct() { return {.phase = kSecondLeg}; }

  [[nodiscard]] static std::vector<RouteState> all_non_minimal(const Ends& ends) {
    std::vector<RouteState> states;
    for (std::uint32_t i = 0; i < ends.others; ++i) states.push_back(over(ends, i));
    return states;
  }

  // None for a packet that has no other place to go over.
  [[nodiscard]] std::optional<RouteState> draw(NodeId source, NodeId destination,
                                               RandomStream& random) const {
    const Ends ends = ends_of(source, destination);
    if (ends.others == 0) return std::nullopt;
    return over(ends, static_cast<std::uint32_t>(random.below(ends.others)));
  }

 private:
  [[nodiscard]] bool on_first_leg(NodeId at, RouteState state) const {
    return state.phase == kFirstLeg && places_.place_of(index(at)) != state.intermediate;
  }

  [[nodiscard]] bool ends_at(std::uint32_t at, std::uint32_t to) const {
    return draw_ == Draw::any && at == to;
  }

  Places places_;
  Draw draw_;
};

template <class Places>
class ValiantAny final : public Valiant<Places> {
 public:
  explicit ValiantAny(const Graph& graph) : Valiant<Places>(graph, Draw::any) {}
};

DataSize load_of(const Candidate& one, UgalRule rule, const CongestionView& view) {
  const DataSize queued = view.queued(one.channel);
  if (rule.downstream == Downstream::ignored) return queued;
  const DataSize missing = view.missing_credits(one);
  if (rule.downstream == Downstream::missing) return queued + missing;
  return queued + std::max(DataSize{}, missing - view.round_trip(one.channel));
}

// The minimal path or one of Valiant's.
template <class Places>
class Ugal : public Valiant<Places> {
 public:
  Ugal(const Graph& graph, UgalRule rule) : Valiant<Places>(graph), rule_(rule) {}

  [[nodiscard]] RouteState start(NodeId source, NodeId destination, RandomStream& random,
                                 const CongestionView& view) const override {
    const auto non_minimal = this->draw(source, destination, random);
    if (!non_minimal) return this->direct();
    const NodeId at{this->places().switch_of(source)};
    return prefers_non_minimal(at, destination, *non_minimal, view) ? *non_minimal : this->direct();
  }

  [[nodiscard]] std::vector<RouteState> all_starts(NodeId source,
                                                   NodeId destination) const override {
    std::vector<RouteState> states = this->all_non_minimal(this->ends_of(source, destination));
    states.insert(states.begin(), this->direct());
    return states;
  }

 protected:
  [[nodiscard]] virtual bool prefers_non_minimal(NodeId at, NodeId destination,
                                                 RouteState non_minimal,
                                                 const CongestionView& view) const {
    const auto cost = [&](RouteState state) {
      return least_load(at, destination, state, view) *
             this->remaining_hops(at, destination, state);
    };
    return cost(this->direct()) > cost(non_minimal) + Places::bias(rule_) * view.packet();
  }

 private:
  [[nodiscard]] DataSize least_load(NodeId at, NodeId destination, RouteState state,
                                    const CongestionView& view) const {
    Candidates outputs;
    this->candidates(at, destination, state, outputs);
    DataSize least = bits(std::numeric_limits<std::int64_t>::max());
    for (const Candidate& one : outputs) least = std::min(least, load_of(one, rule_, view));
    return least;
  }

  UgalRule rule_;
};

// UGAL by queues that also hears, from the switches of its group, of their global links.
class Piggyback final : public Ugal<DragonflyPlaces>, public CongestionNotifications {
 public:
  explicit Piggyback(const Graph& graph) : Ugal(graph, kUgalQueue) {}

  [[nodiscard]] const CongestionNotifications* notifications() const override { return this; }

  [[nodiscard]] NotificationGroup group(NodeId at) const override {
    const std::uint32_t switches = dragonfly().switches_of_group();
    const std::uint32_t first = dragonfly().group_of(index(at)) * switches;
    return {
        .first = NodeId{first}, .switches = switches, .channels_each = dragonfly().most_globals()};
  }

  [[nodiscard]] std::span<const ChannelId> channels(NodeId at) const override {
    return dragonfly().globals(at);
  }

 protected:
  // When it promises to be quicker, or the global link of the minimal path is reported to be
  // congested.
  [[nodiscard]] bool prefers_non_minimal(NodeId at, NodeId destination, RouteState non_minimal,
                                         const CongestionView& view) const override {
    const auto number = minimal_path_notification(at, destination);
    if (number && view.is_reported_congested(*number)) return true;
    return Ugal::prefers_non_minimal(at, destination, non_minimal, view);
  }

 private:
  // The number, in the group of `at`, of the global link that a packet on the minimal path will
  // take, if there is one.
  [[nodiscard]] std::optional<std::uint32_t> minimal_path_notification(NodeId at,
                                                                       NodeId destination) const {
    const std::uint32_t to = dragonfly().switch_of(destination);
    if (dragonfly().group_of(index(at)) == dragonfly().group_of(to)) return std::nullopt;
    const auto [near, slot] = dragonfly().gateway(index(at), to);
    return near * dragonfly().most_globals() + slot;
  }

  [[nodiscard]] const Dragonfly& dragonfly() const { return places().groups(); }
};

template <class Made, class... Rule>
Result<std::unique_ptr<Routing>> make_checked(const Graph& graph, Rule... rule) {
  auto routing = std::make_unique<Made>(graph, rule...);
  if (auto fits = check_width(routing->places().width()); !fits) return fail(fits.error());
  return routing;
}

// On every family.
template <template <class> class Made, class... Rule>
Result<std::unique_ptr<Routing>> make(const Graph& graph, Rule... rule) {
  const std::string& family = graph.origin().family;
  if (family == "dragonfly") return make_checked<Made<DragonflyPlaces>>(graph, rule...);
  if (family == "dragonfly-plus") return make_checked<Made<DragonflyPlusPlaces>>(graph, rule...);
  return make_checked<Made<FbflyPlaces>>(graph, rule...);
}

}  // namespace

Scheme valiant::scheme() {
  return {.name = "valiant",
          .summary = "by way of a random switch or group; 2 virtual channels, on a dragonfly 3",
          .families = {"fbfly", "dragonfly", "dragonfly-plus"},
          .make = make<Valiant>};
}

Scheme valiant_any::scheme() {
  return {.name = "valiant-any",
          .summary = "as valiant, by way of any place, the two ends included",
          .families = {"fbfly", "dragonfly", "dragonfly-plus"},
          .make = make<ValiantAny>};
}

Scheme ugal::scheme() {
  return {.name = "ugal",
          .summary =
              "the minimal path or a non-minimal one, whichever queues and credits promise to be "
              "quicker; as valiant",
          .families = {"fbfly", "dragonfly", "dragonfly-plus"},
          .make = [](const Graph& graph) { return make<Ugal>(graph, kUgal); }};
}

Scheme ugal_queue::scheme() {
  return {.name = "ugal-queue",
          .summary = "as ugal, by the queues of the first switch alone and without a bias",
          .families = {"fbfly", "dragonfly", "dragonfly-plus"},
          .make = [](const Graph& graph) { return make<Ugal>(graph, kUgalQueue); }};
}

Scheme ugal_credits::scheme() {
  return {.name = "ugal-credits",
          .summary = "as ugal, by all missing credits, those of data on the cable included",
          .families = {"fbfly", "dragonfly", "dragonfly-plus"},
          .make = [](const Graph& graph) { return make<Ugal>(graph, kUgalCredits); }};
}

Scheme piggyback::scheme() {
  return {.name = "piggyback",
          .summary =
              "as ugal-queue, told by the switches of its group which global links are congested",
          .families = {"dragonfly"},
          .make = make_checked<Piggyback>};
}

}  // namespace ebb::routing
