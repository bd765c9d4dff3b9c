// SPDX-License-Identifier: Apache-2.0
//
// Which switches and links of a network stay on: those of least power that carry a load, with a
// margin for bursts, and still carry it after any one failure. The problem is that of "ElasticTree:
// Saving Energy in Data Center Networks" (Heller et al., NSDI 2010), whose capacity model this is
// for networks of planes; docs/models/switches.md has the equations.
//
// A network has planes that share their hosts. A plane has leaves, the switches with hosts, and
// groups: switches without hosts that are connected with each other. A group reaches every leaf, so
// that a packet which enters it gets everywhere by it alone, whatever other groups do. The spines
// of two levels are groups of one switch each; of three levels a group is the aggregation switches
// and cores of one column. Leaf l of each plane serves the same hosts.
//
//   A plane is on or off with its leaves, their hosts' links and their links to each other.
//   A group of a plane that is on is on or off, with one link to every leaf at least.
//   Planes that are on share the load of each leaf evenly.
//
//   const Selection best = select(network, demand);
#pragma once

#include "ebb/units/data.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ebb::consolidation {

// Parallel links between a leaf and a group.
struct Bundle {
  std::uint32_t links = 1;  // at least one
  DataRate rate;            // of each, in each direction

  bool operator==(const Bundle&) const = default;
};

struct Group {
  Power switches;               // what they draw, with the links among them
  Power link;                   // a link to a leaf, both ends
  std::vector<Bundle> to_leaf;  // by leaf

  bool operator==(const Group&) const = default;
};

struct Plane {
  Power leaves;                     // with the links of hosts and those between leaves
  std::vector<DataRate> hosts;      // by leaf: what its hosts can send into this plane
  std::vector<DataRate> to_leaves;  // by leaf: the links to other leaves
  std::vector<Group> groups;

  bool operator==(const Plane&) const = default;
};

struct Network {
  std::vector<Plane> planes;

  [[nodiscard]] std::size_t leaves() const { return planes.empty() ? 0 : planes[0].hosts.size(); }
};

// What the planes carry together, the larger one of both directions.
struct Demand {
  std::vector<DataRate> hosts;    // by leaf: between its hosts and it
  std::vector<DataRate> network;  // by leaf: between it and other switches
  Ratio margin;                   // 1/5: a fifth more than that must fit
};

struct PlaneSelection {
  bool on = false;
  std::vector<bool> groups;                       // those that are on
  std::vector<std::vector<std::uint32_t>> links;  // by group and leaf: those that are on

  bool operator==(const PlaneSelection&) const = default;
};

struct Selection {
  std::vector<PlaneSelection> planes;
  Power power;
  Power bound;  // no selection that is enough takes less than this
  // The margin and any one failure are covered. If not, all is on.
  bool enough = true;
};

// Switches and links to keep on, by a greedy choice and local improvement.
[[nodiscard]] Selection select(const Network& network, const Demand& demand);

// What a selection draws, and whether it is enough.
[[nodiscard]] Power power_of(const Network& network, const Selection& selection);
[[nodiscard]] bool suffices(const Network& network, const Demand& demand,
                            const Selection& selection);

// What one plane of several that are on must carry of a leaf's load: with all its switches, and
// without the group that gives the leaf most.
struct Need {
  DataRate whole;
  DataRate without_a_group;
};

// Of a load that `planes_on` planes share. Of several, any one may lose a leaf, whose hosts then
// use the others. Whatever the load, there must be a way: the least need is 1 bit/s.
[[nodiscard]] Need need_of(DataRate load, const Ratio& margin, std::size_t planes_on);

}  // namespace ebb::consolidation
