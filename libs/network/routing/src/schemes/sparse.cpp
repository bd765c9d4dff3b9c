// SPDX-License-Identifier: Apache-2.0
//
// A flattened butterfly of which some links rest. "From a flattened butterfly, we can selectively
// disable links, thereby changing the topology to a more conventional mesh or torus" ("Energy
// Proportional Datacenter Networks", Section 5.2). One coordinate after the other; along a line of
// completely joined switches a packet may go straight to its coordinate or by shorter links that
// are up, each a step nearer:
//
//   mesh        by links that do not pass the coordinate                  1 virtual channel
//   torus       the same on the shorter way round the ring of the line    2: a dateline
//   mesh-torus  either, so that the ring may be cut                       2: a dateline
//   star        by way of coordinate 0                                    2: there, and on
//
// Tier 0 are the links between neighbours of the line or ring, or those to coordinate 0. Tiers of
// mesh and torus go by length: 2-3 switches further on, 4-7, 8-15, ... In mesh-torus the links that
// close the rings are tier 1, and longer ones follow.

#include "families/grid.hpp"
#include "schemes.hpp"

#include <algorithm>
#include <bit>

namespace ebb::routing::sparse {
namespace {

using Place = Grid::Place;

std::uint32_t between(std::uint32_t x, std::uint32_t y) { return x < y ? y - x : x - y; }

std::uint8_t small(std::uint32_t number) {
  return static_cast<std::uint8_t>(std::min(number, 255U));
}

// What the three have in common; a shape says how a packet may move along a line.
class Thinned : public Routing {
 public:
  explicit Thinned(const Graph& graph) : grid_(graph) {}

  void candidates(NodeId at, NodeId destination, RouteState state, Candidates& out) const override {
    out.clear();
    const std::uint32_t to = grid_.switch_of(destination);
    if (index(at) == to) return out.push(delivery(grid_.graph(), destination));
    along(index(at), grid_.first_difference(index(at), to), state, out);
  }

  [[nodiscard]] RouteState advance(NodeId /*at*/, const Candidate& taken,
                                   RouteState state) const override {
    state.phase = taken.phase;
    return state;
  }

  [[nodiscard]] int remaining_hops(NodeId at, NodeId destination,
                                   RouteState /*state*/) const override {
    return grid_.links(
        index(at), grid_.switch_of(destination),
        [this](std::uint32_t x, std::uint32_t y, std::uint32_t k) { return longest_way(x, y, k); });
  }

  [[nodiscard]] int tier(ChannelId channel) const override {
    const Graph& graph = grid_.graph();
    if (!graph.connects_switches(channel)) return 0;
    const std::uint32_t from = index(graph.source(channel));
    return tier_of(grid_.first_difference(from, index(graph.target(channel))));
  }

  [[nodiscard]] std::size_t memory_bytes() const override {
    return sizeof(*this) + grid_.memory_bytes();
  }

 protected:
  [[nodiscard]] const Grid& grid() const { return grid_; }

 private:
  virtual void along(std::uint32_t from, const Place& place, RouteState state,
                     Candidates& out) const = 0;
  // In links, on a line of k switches.
  [[nodiscard]] virtual std::uint32_t longest_way(std::uint32_t x, std::uint32_t y,
                                                  std::uint32_t k) const = 0;
  [[nodiscard]] virtual int tier_of(const Place& link) const = 0;

  Grid grid_;
};

int tier_of_length(std::uint32_t length) { return std::bit_width(length) - 1; }

class Mesh final : public Thinned {
 public:
  using Thinned::Thinned;
  [[nodiscard]] int virtual_channels() const override { return 1; }

 private:
  void along(std::uint32_t from, const Place& place, RouteState /*state*/,
             Candidates& out) const override {
    const auto [first, last] = std::minmax(place.x, place.y);
    for (std::uint32_t c = first; c <= last; ++c) {
      if (c != place.x) grid().leave(from, place, c, {{}, 0, small(between(c, place.y))}, out);
    }
  }
  [[nodiscard]] std::uint32_t longest_way(std::uint32_t x, std::uint32_t y,
                                          std::uint32_t /*k*/) const override {
    return between(x, y);
  }
  [[nodiscard]] int tier_of(const Place& link) const override {
    return tier_of_length(between(link.x, link.y));
  }
};

// The dateline of a ring lies between k-1 and 0. Who has it ahead keeps to channel 0 until it has
// been crossed; everyone else is on channel 1, where nobody crosses.
class Torus final : public Thinned {
 public:
  using Thinned::Thinned;
  [[nodiscard]] int virtual_channels() const override { return 2; }

 private:
  void along(std::uint32_t from, const Place& place, RouteState /*state*/,
             Candidates& out) const override {
    const auto [x, y, k, port, parallel] = place;
    grid().leave(from, place, y, {{}, 1, 0}, out);
    if (2 * between(x, y) <= k) {
      const auto [first, last] = std::minmax(x, y);
      step_to(from, place, first + 1, last, 1, out);
    } else if (x < y) {
      x == 0 ? step_to(from, place, k - 1, k, 0, out) : step_to(from, place, 0, x, 0, out);
    } else {
      x + 1 == k ? step_to(from, place, 0, 1, 0, out) : step_to(from, place, x + 1, k, 0, out);
    }
  }
  // To the coordinates [first, end), that of the destination left out.
  void step_to(std::uint32_t from, const Place& place, std::uint32_t first, std::uint32_t end,
               std::uint8_t vc, Candidates& out) const {
    for (std::uint32_t c = first; c < end; ++c) {
      if (c == place.y) continue;
      grid().leave(from, place, c, {{}, vc, small(longest_way(c, place.y, place.k))}, out);
    }
  }
  [[nodiscard]] std::uint32_t longest_way(std::uint32_t x, std::uint32_t y,
                                          std::uint32_t k) const override {
    return std::min(between(x, y), k - between(x, y));
  }
  [[nodiscard]] int tier_of(const Place& link) const override {
    return tier_of_length(longest_way(link.x, link.y, link.k));
  }
};

// As on a torus, and where the dateline lies ahead also without crossing it, on channel 1: who does
// so once keeps to it on this line, or it would turn round again and again.
class MeshAndTorus final : public Thinned {
 public:
  using Thinned::Thinned;
  [[nodiscard]] int virtual_channels() const override { return 2; }
  [[nodiscard]] int remaining_hops(NodeId at, NodeId destination, RouteState state) const override {
    const std::uint32_t to = grid().switch_of(destination);
    const int hops = Thinned::remaining_hops(at, destination, state);
    if (state.phase != kKeepsOff || index(at) == to) return hops;
    const Place line = grid().first_difference(index(at), to);
    const auto saved = longest_way(line.x, line.y, line.k) - between(line.x, line.y);
    return hops - static_cast<int>(saved);
  }

 private:
  static constexpr std::uint8_t kKeepsOff = 1;  // the dateline

  static bool is_nearer_round(std::uint32_t x, std::uint32_t y, std::uint32_t k) {
    return 2 * between(x, y) > k;
  }
  static std::uint32_t round_ring(std::uint32_t x, std::uint32_t y, std::uint32_t k) {
    return std::min(between(x, y), k - between(x, y));
  }

  void along(std::uint32_t from, const Place& place, RouteState state,
             Candidates& out) const override {
    const auto [x, y, k, port, parallel] = place;
    const auto [first, last] = std::minmax(x, y);
    for (std::uint32_t c = first; c <= last; ++c) {
      const std::uint8_t phase = c == y ? 0 : kKeepsOff;
      if (c != x) grid().leave(from, place, c, {{}, 1, small(between(c, y)), phase}, out);
    }
    if (state.phase == kKeepsOff || !is_nearer_round(x, y, k)) return;
    if (x < y) {
      x == 0 ? step_round(from, place, y + 1, k, out) : step_round(from, place, 0, x, out);
    } else {
      x + 1 == k ? step_round(from, place, 0, y, out) : step_round(from, place, x + 1, k, out);
    }
  }
  // To the coordinates [first, end), towards the dateline or over it.
  void step_round(std::uint32_t from, const Place& place, std::uint32_t first, std::uint32_t end,
                  Candidates& out) const {
    for (std::uint32_t c = first; c < end; ++c)
      grid().leave(from, place, c, {{}, 0, small(round_ring(c, place.y, place.k)), 0}, out);
  }
  // To the dateline, and then back all along the line.
  [[nodiscard]] std::uint32_t longest_way(std::uint32_t x, std::uint32_t y,
                                          std::uint32_t k) const override {
    if (!is_nearer_round(x, y, k)) return between(x, y);
    return x < y ? x + y : (k - 1 - x) + (k - 1 - y);
  }
  [[nodiscard]] int tier_of(const Place& link) const override {
    const std::uint32_t length = between(link.x, link.y);
    if (length == 1) return 0;
    return 1 + tier_of_length(round_ring(link.x, link.y, link.k));
  }
};

class Star final : public Thinned {
 public:
  using Thinned::Thinned;
  [[nodiscard]] int virtual_channels() const override { return 2; }

 private:
  void along(std::uint32_t from, const Place& place, RouteState /*state*/,
             Candidates& out) const override {
    grid().leave(from, place, place.y, {{}, 1, 0}, out);
    if (place.x != 0 && place.y != 0) grid().leave(from, place, 0, {{}, 0, 1}, out);
  }
  [[nodiscard]] std::uint32_t longest_way(std::uint32_t x, std::uint32_t y,
                                          std::uint32_t /*k*/) const override {
    if (x == y) return 0;
    return x == 0 || y == 0 ? 1 : 2;
  }
  [[nodiscard]] int tier_of(const Place& link) const override {
    return link.x == 0 || link.y == 0 ? 0 : 1;
  }
};

template <class Shape>
Result<std::unique_ptr<Routing>> make(const Graph& graph) {
  auto routing = std::make_unique<Shape>(graph);
  if (auto fits = check_width(Grid(graph).widest_line()); !fits) return fail(fits.error());
  return routing;
}

}  // namespace

Scheme mesh() {
  return {.name = "sparse-mesh",
          .summary = "one coordinate after the other, straight or by links between; 1 vc",
          .families = {"fbfly"},
          .make = make<Mesh>};
}

Scheme torus() {
  return {.name = "sparse-torus",
          .summary = "the same, the shorter way round; 2 virtual channels",
          .families = {"fbfly"},
          .make = make<Torus>};
}

Scheme mesh_and_torus() {
  return {.name = "sparse-mesh-torus",
          .summary = "straight, or as on a mesh or on a torus; 2 virtual channels",
          .families = {"fbfly"},
          .make = make<MeshAndTorus>};
}

Scheme star() {
  return {.name = "sparse-star",
          .summary = "one coordinate after the other, straight or by coordinate 0; 2 vcs",
          .families = {"fbfly"},
          .make = make<Star>};
}

}  // namespace ebb::routing::sparse
