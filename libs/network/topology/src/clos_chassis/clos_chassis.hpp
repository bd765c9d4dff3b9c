// SPDX-License-Identifier: Apache-2.0
//
// Folded Clos of chassis, section 2.2 of "Energy Proportional Datacenter Networks". The graph is at
// chip level, because every chip burns power.
//
// A chassis is a non-blocking router built from chips of P ports: P/2 leaf chips with P/2 external
// and P/2 internal ports, and P/4 spine chips with P internal ports. Two backplane links join each
// leaf chip to each spine chip. P = 36 gives 27 chips and 324 external ports. A stage-2 chassis has
// half of its external ports (162) for hosts and half for uplinks; all ports of a stage-3 chassis
// go down. There are ceil(hosts/162) and ceil(hosts/324) of them.
//
// Wiring. Each host has an uplink on its own chip: P/4 hosts and P/4 uplinks per stage-2 leaf chip.
// Uplink u, counted through all chassis, goes to stage-3 chassis u mod n and there to the external
// port u div n, which sits on leaf chip (u div n) mod P/2.
//
// Numbering. Stage-2 chassis first; in each chassis the leaf chips, then the spine chips. Ports of
// a leaf chip: hosts, spine chips ascending (twice each), external links.
#pragma once

#include "ebb/topology/family.hpp"

namespace ebb::topology::clos_chassis {

[[nodiscard]] Family family();

}  // namespace ebb::topology::clos_chassis
