// SPDX-License-Identifier: Apache-2.0
//
// Random graphs in which every vertex has as many edges, for irregular and jellyfish. The same
// stream gives the same graph on every machine.
//
// A graph starts as a circulant, which has the right degrees, and is stirred by exchanging the ends
// of random pairs of edges, which keeps them. Stirring can tear the graph apart; it is then sewn
// together by exchanges between components, which keep the degrees too.
#pragma once

#include "ebb/core/random.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace ebb::topology::random_regular {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

// `degree` < n edges at every vertex; if n*degree is odd, one vertex has one less. No loops and no
// parallel edges.
[[nodiscard]] std::vector<Edge> simple_graph(std::uint32_t n, std::uint32_t degree,
                                             RandomStream& random);

// The same in one piece; `degree` must be 2 or more, or n at most 2.
[[nodiscard]] std::vector<Edge> connected_graph(std::uint32_t n, std::uint32_t degree,
                                                RandomStream& random);

}  // namespace ebb::topology::random_regular
