// SPDX-License-Identifier: Apache-2.0
//
// What can be measured on a finished graph, whoever made it: distances, connectivity, degrees, a
// bisection estimate, and whether it is a network at all. Nothing here changes the graph.
//
//   const Distances d = distances(graph);
//   d.mean();            // switches on a path, a host's path to itself (1) included
//   d.mean_to_others();  // the same over pairs of different hosts
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace ebb::topology {

// Shortest paths between hosts through switches, as exact sums. A host with several links counts at
// the switch of its first.
struct Distances {
  Int128 switch_sum = 0;     // switches on the path, over all ordered pairs that are reachable
  std::uint64_t pairs = 0;   // such pairs, each host with itself included
  std::uint64_t selves = 0;  // pairs of a host with itself; their path has one switch
  std::uint64_t unreachable_pairs = 0;
  std::uint32_t diameter = 0;  // switch-to-switch links; a lower bound unless exact
  bool exact = true;           // false: `sources` switches stand for all
  std::uint32_t sources = 0;   // breadth-first searches made

  [[nodiscard]] double mean() const;            // 0 without hosts
  [[nodiscard]] double mean_to_others() const;  // 0 without two hosts
};

// Searches from one switch per orbit where the family that made the graph has orbits; else from
// every switch with hosts, while (these switches) x (channels) stays below kDistanceBudget, a few
// seconds; else from kDistanceSamples of them, drawn with a fixed seed.
inline constexpr std::uint64_t kDistanceBudget = 2'000'000'000;
inline constexpr std::uint32_t kDistanceSamples = 64;
[[nodiscard]] Distances distances(const Graph& graph);

// Parts of the graph that no link joins. Numbered in the order of their smallest node.
struct Components {
  std::uint32_t count = 0;
  std::vector<std::uint32_t> of_node;  // by node index
};
[[nodiscard]] Components components(const Graph& graph);
[[nodiscard]] bool connected(const Graph& graph);

// Ports in use per switch.
struct Degrees {
  std::uint32_t least = 0;
  std::uint32_t most = 0;
  std::vector<std::uint32_t> switches_with;  // index: ports in use, 0 .. most
};
[[nodiscard]] Degrees degrees(const Graph& graph);

// Links from the nearest switch with hosts, by switch: 0 for one that has some itself, kFar for one
// that no host reaches.
inline constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();
[[nodiscard]] std::vector<std::uint32_t> switch_heights(const Graph& graph);

// The level of each link: 0 for the links of hosts, 1 for those of switches with hosts, 2 for those
// above them and so on: in a fat tree the stages from below, in a network all of whose switches
// have hosts two levels. The last level stands for all above it, too.
inline constexpr std::size_t kLinkLevels = 4;
[[nodiscard]] std::vector<std::uint8_t> link_levels(const Graph& graph);

struct LinkCounts {
  std::uint64_t electrical = 0;
  std::uint64_t optical = 0;
  std::uint64_t backplane = 0;

  bool operator==(const LinkCounts&) const = default;
};
[[nodiscard]] LinkCounts links_by_medium(const Graph& graph);

[[nodiscard]] bool has_hosts(const Graph& graph, std::uint32_t of_switch);

// Links cut by the best split into halves that METIS finds, switches weighted by their hosts. The
// best split of all may cut fewer: this is an upper bound on the bisection. The halves can differ
// by the hosts of a switch, or one in a thousand. Nullopt when ebb was built without METIS.
struct BisectionEstimate {
  std::int64_t links = 0;
  std::int64_t hosts_on_one_side = 0;
  std::int64_t hosts_on_the_other = 0;
};
[[nodiscard]] std::optional<BisectionEstimate> estimate_bisection(const Graph& graph);

// What makes the graph unfit to plan or simulate, naming the nodes and links: hosts without a link
// or joined to a host, parts that cannot be reached, rate tables that are empty or do not ascend.
[[nodiscard]] Errors check(const Graph& graph);

// Divides the switches of a network among processors: the part of each switch, 0 .. parts-1, none
// empty, with about as many hosts and links each and links of little weight between them; `weights`
// are by link, at least 1. METIS looks for a good division; without it, or for a part per switch,
// the switches are dealt out in blocks. The same on every call. `parts` is at least 1 and at most
// the number of switches.
[[nodiscard]] std::vector<std::uint32_t> divide(const Graph& graph, std::uint32_t parts,
                                                std::span<const std::uint32_t> weights);

}  // namespace ebb::topology
