// SPDX-License-Identifier: Apache-2.0
//
// The rings of a torus. Along each dimension channels lead upwards or downwards, and those of one
// direction that share all other coordinates form a ring. A packet that goes on in its direction
// stays on its ring; one that turns, or that comes from a host, enters another. Rings matter to
// flow control: packets that wait for each other all around one would wait for good.
//
//   const auto directions = ring_directions(graph);
//   const bool enters = (*directions)[index(input)] != (*directions)[index(output)];
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <vector>

namespace ebb::topology {

// Twice the dimension, and one more upwards.
enum class RingDirection : std::uint8_t {};
// Of channels that lead to or from a host.
inline constexpr RingDirection kOffRings{0xFF};

// By channel. A link of a dimension of two switches leads upwards both ways: no path takes both.
// Refuses graphs that are no torus, and those with parallel links.
[[nodiscard]] Result<std::vector<RingDirection>> ring_directions(const Graph& graph);

}  // namespace ebb::topology
