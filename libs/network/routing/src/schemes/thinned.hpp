// SPDX-License-Identifier: Apache-2.0
//
// A flattened butterfly of which some links rest. "From a flattened butterfly, we can selectively
// disable links, thereby changing the topology to a more conventional mesh or torus" ("Energy
// Proportional Datacenter Networks", Section 5.2). One coordinate after the other; along a line of
// completely joined switches a packet may go straight to its coordinate or by shorter links that
// are up, each a step nearer:
//
//   mesh    by links that do not pass the coordinate                     1 virtual channel
//   torus   the same on the shorter way round the ring of the line       2: a dateline
//   star    by way of coordinate 0                                       2: there, and on
//
// Tier 0 are the links between neighbours of the line or ring, or those to coordinate 0. Tiers of
// mesh and torus go by length: 2-3 switches further on, 4-7, 8-15, ...
#pragma once

#include "ebb/routing/scheme.hpp"

namespace ebb::routing::thinned {

[[nodiscard]] Scheme mesh();
[[nodiscard]] Scheme torus();
[[nodiscard]] Scheme star();

}  // namespace ebb::routing::thinned
