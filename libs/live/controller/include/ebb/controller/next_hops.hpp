// SPDX-License-Identifier: Apache-2.0
//
// What a policy is told of the tables of live switches: by which outputs a frame may leave a switch
// whatever sleeps. These are the output of its rule and those that take over without the rerouted
// tag, as parallel links and the other uplinks of a leaf. A frame that gets the tag makes a detour:
// what it takes is for failures and for links that sleep by themselves, and no equal choice.
#pragma once

#include "ebb/forwarding/reachability.hpp"
#include "ebb/policy/sample.hpp"

#include <vector>

namespace ebb::controller {

// Satisfies policy::check. A destination is the node of one host of those that no table tells
// apart.
[[nodiscard]] std::vector<policy::NextHopSet> next_hops_of(const forwarding::TableWalker& walker);

}  // namespace ebb::controller
