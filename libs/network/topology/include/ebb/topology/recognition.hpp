// SPDX-License-Identifier: Apache-2.0
//
// What a graph is, whatever its file calls it, and what its links are needed for. A graph that
// somebody drew or exported from an inventory names no family; whoever makes tables for it asks
// here first, so that a leaf-spine is treated as one. Nodes keep their numbers and names.
//
//   if (const auto found = recognise(graph)) ...  // found->text: "leaf-spine of 20 leaves and ..."
#pragma once

#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ebb::topology {

// A folded Clos of two levels: every leaf is joined to every spine, leaves serve all hosts, and no
// two leaves or two spines are joined. Bundles of parallel links may differ in size.
struct LeafSpine {
  std::vector<std::uint32_t> leaves;  // switches, ascending
  std::vector<std::uint32_t> spines;
  std::uint32_t fewest_parallel = 0;  // links between a leaf and a spine
  std::uint32_t most_parallel = 0;
};

// Nothing: it is none.
[[nodiscard]] std::optional<LeafSpine> leaf_spine(const Graph& graph);

// A family whose tables and properties the graph has, although its file does not say so.
struct Recognised {
  std::string family;  // "leaf-spine", "complete"
  std::string text;    // in words, with the numbers
};

// Of graphs that name no family alone. Nothing: none that is known here.
[[nodiscard]] std::optional<Recognised> recognise(const Graph& graph);

// How many links between switches must be awake for hosts to reach each other, whichever they are:
// no tree that joins all switches with hosts has fewer. Exact for leaf-spines and for networks
// whose switches all have hosts; else a bound from below.
//
// A tree has one link less than switches. It has all of those with hosts. Where they fall into
// several parts when only switches up to d links away from hosts are looked at, it leaves each part
// by a switch that is d links away.
[[nodiscard]] std::uint32_t fewest_links_that_join_hosts(const Graph& graph);

// Whether all switches with hosts are still joined when that link is cut.
[[nodiscard]] bool joins_hosts_without(const Graph& graph, LinkId link);

}  // namespace ebb::topology
