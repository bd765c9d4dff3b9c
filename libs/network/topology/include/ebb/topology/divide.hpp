// SPDX-License-Identifier: Apache-2.0
//
// Divides the switches of a network among processors.
#pragma once

#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ebb::topology {

// The part of each switch, 0 .. parts-1, none empty, with about as many hosts and links each and
// links of little weight between them; `weights` are by link, at least 1. METIS looks for a good
// division; without it, or for a part per switch, the switches are dealt out in blocks. The same on
// every call. `parts` is at least 1 and at most the number of switches.
[[nodiscard]] std::vector<std::uint32_t> divide(const Graph& graph, std::uint32_t parts,
                                                std::span<const std::uint32_t> weights);

}  // namespace ebb::topology
