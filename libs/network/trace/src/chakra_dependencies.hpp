// SPDX-License-Identifier: Apache-2.0
//
// The dependencies of the nodes of a rank, from ids to places in its list. Recorded traces name
// nodes that they do not have, and their ctrl_deps, which say who called whom, make cycles with
// data_deps and with themselves. Such dependencies are dropped, and counted. A cycle of data_deps
// is an error.
#pragma once

#include "chakra_nodes.hpp"

#include <cstdint>
#include <string>

namespace ebb::trace {

// How often a repair was made, and where first.
struct Repaired {
  std::uint64_t count = 0;
  std::string first;

  void add(const std::string& place) {
    if (count++ == 0) first = place;
  }
};

struct DependencyRepairs {
  Repaired missing;  // on nodes that are not there
  Repaired cyclic;   // ctrl_deps
};

// Afterwards data_deps and ctrl_deps of each node are places in `rank.nodes`, without a cycle.
[[nodiscard]] Errors resolve_dependencies(ChakraRank& rank, DependencyRepairs& repairs);

}  // namespace ebb::trace
