// SPDX-License-Identifier: Apache-2.0
//
// The costs that drain a link of transit traffic without a micro-loop.
//
// Routers learn of a new cost one after the other. Until all have, some forward by old routes and
// some by new ones, and frames can go round between them. With 65535, the usual way to drain a
// link, its end turns away from the link itself, to a neighbour that may not have moved yet. The
// smallest cost that moves every route which only passes the link leaves its ends as they are.
//
// What still takes the link is what its two ends send to each other.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/ospf/link_state.hpp"

#include <vector>

namespace ebb::ospf {

struct DrainCosts {
  Cost a = 0;  // of the interface at end `a` of the link
  Cost b = 0;

  bool operator==(const DrainCosts&) const = default;
};

// The smallest costs, not below those that are set, by which no router has a route over the link
// but its ends to each other; and by which, whichever routers know of which of the two changes,
// frames to no destination go round. The same holds on the way back. An error: why there are none.
[[nodiscard]] Result<DrainCosts> drain_costs(const LinkState& network, std::size_t link);

}  // namespace ebb::ospf
