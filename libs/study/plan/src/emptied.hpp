// SPDX-License-Identifier: Apache-2.0
//
// Which switches of a network can be emptied at a load, and how many of its links can then sleep.
//
// Switches are in tiers: those with hosts are the lowest, the others are as far above as the
// nearest of these. All traffic of the hosts is taken to go up, evenly over the links to the awake
// switches above: what a link of the hosts carries at the load L is L links. Switches are emptied
// one after the other, tier by tier from below, the last numbers first, as long as every awake
// switch below still reaches two switches or more, and without any one of them has as many links up
// as it needs. Switches with links inside their tier, as those of groups that are joined by links
// of their own, stay awake. If the failure of one switch without hosts could then part two switches
// with hosts, none is emptied. docs/plan.md states the model.
#pragma once

#include "ebb/topology/graph.hpp"
#include "ebb/units/quantity.hpp"

#include <cstdint>
#include <vector>

namespace ebb::plan {

// By switch, true where it is empty: all links of an empty switch can sleep, and so can the switch
// itself. The load is a share of what the hosts can send, from 0 to 1. Hosts of a design are
// connected in ascending order until there are `hosts` of them; the places of others stay free, so
// that a switch with hosts may have fewer than it has room for.
[[nodiscard]] std::vector<bool> emptied_switches(const topology::Graph& graph, std::int64_t hosts,
                                                 Ratio load);

}  // namespace ebb::plan
