// SPDX-License-Identifier: Apache-2.0
//
// Random simple graphs with given degrees.
//
// The graph starts as a circulant, which has the right degrees, and is stirred by exchanging the
// ends of random pairs of edges, which keeps them. Stirring can tear the graph apart; it is then
// sewn together by exchanges between components, which keep the degrees too.
#pragma once

#include "ebb/core/random.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace ebb::topology::irregular {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

// Every vertex has `degree` < n edges; if n*degree is odd, one vertex has one less.
[[nodiscard]] std::vector<Edge> circulant(std::uint32_t n, std::uint32_t degree);

// Ten exchanges are tried per edge; none makes a loop or a parallel edge.
void stir(std::vector<Edge>& edges, RandomStream& random);

// Makes the graph connected. Every component must contain a cycle, which all degrees of 2 or more
// ensure.
void sew(std::vector<Edge>& edges, std::uint32_t n);

}  // namespace ebb::topology::irregular
