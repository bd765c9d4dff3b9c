// SPDX-License-Identifier: Apache-2.0
//
// The forwarding rows of a routing as a policy knows them: devices and destinations are numbered as
// nodes of the graph, channels as its channels.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/policy/ways.hpp"
#include "ebb/routing/routing.hpp"

#include <vector>

namespace ebb::netsim {

// Fails when the network has too many states of packets (forwarding.hpp).
[[nodiscard]] Result<std::vector<policy::Way>> ways_of(const topology::Graph& graph,
                                                       const routing::Routing& routing);

}  // namespace ebb::netsim
