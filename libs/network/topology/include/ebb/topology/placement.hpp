// SPDX-License-Identifier: Apache-2.0
//
// Where switches stand, and therefore how long cables are and whether copper will do.
//
// Switches go into racks in index order; a chassis (Graph::chips_per_box) is never split. Hosts sit
// in the rack of their switch as far as there is room for them, the others in racks of hosts to its
// right and left, the nearest first. Racks fill rows in order, every row in the same direction. A
// cable between two racks runs along aisles, so it is as long as the Manhattan distance plus the
// way out of the rack at both ends.
//
//   Graph graph = ...;
//   if (auto placed = place_cables(graph, FloorPlan{}); !placed) report(placed.error());
//   for (const CableGroup& group : count_cables(graph)) ...
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/quantity.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace ebb::topology {

// What a rack has of something, and what a host and a switch (a box of chips) take of it.
template <class T>
struct RackBudget {
  T rack{};
  T host{};
  T of_switch{};

  bool operator==(const RackBudget&) const = default;
};

struct FloorPlan {
  std::uint32_t switches_per_rack = 8;        // chips; 64 hosts and 8 switches of 36 ports fill one
  std::uint32_t racks_per_row = 24;           // a row of 15 m, between two cross aisles
  Length rack_pitch = millimetres(600);       // the width of a standard rack
  Length row_pitch = millimetres(2'400);      // a 1.2 m deep rack, half a cold and half a hot aisle
  Length in_rack = metres(2);                 // any cable that stays in its rack
  Length rack_overhead = millimetres(2'500);  // per end: up the rack to the tray, with slack
  Length electrical_limit = metres(5);        // passive copper at 10 Gb/s per lane and above
  // What limits a rack; without any of the three all hosts sit with their switch.
  std::optional<std::uint32_t> hosts_per_rack;
  std::optional<RackBudget<std::uint32_t>> units;  // of height
  std::optional<RackBudget<Power>> power;

  bool operator==(const FloorPlan&) const = default;
};

// Whether hosts may have to sit in other racks than their switch.
[[nodiscard]] bool limited(const FloorPlan& plan);

// Where everything went.
struct Racks {
  std::int64_t racks = 0;
  std::int64_t hosts_apart = 0;  // in another rack than their switch

  bool operator==(const Racks&) const = default;
};

// Sets length and medium of every link but backplane traces. Refuses a plan without racks, with
// racks that hold no switch or no host, or with negative or absurd lengths, and then changes
// nothing.
[[nodiscard]] Result<Racks> place_cables(Graph& graph, const FloorPlan& plan);

// Cables of one medium whose length is at most `up_to` and above the next smaller bucket.
struct CableGroup {
  Medium medium = Medium::electrical;
  Length up_to;  // 1, 2, 3, 5, 10, 20, 50, 100, 200, ... m
  std::uint64_t cables = 0;
  Length total;

  bool operator==(const CableGroup&) const = default;
};

// By medium, then by length; empty groups are left out. Backplane traces are not cables. Cables
// that have not been laid count as 0 m, in the 1 m bucket. Only the first `hosts` hosts are cabled.
[[nodiscard]] std::vector<CableGroup> count_cables(
    const Graph& graph, std::uint32_t hosts = std::numeric_limits<std::uint32_t>::max());

// Whether a link belongs to one of the hosts from number `hosts` on.
[[nodiscard]] bool beyond_hosts(const Graph& graph, const Link& link, std::uint32_t hosts);

}  // namespace ebb::topology
