// SPDX-License-Identifier: Apache-2.0
//
// Dragonfly: g groups of a switches, fully connected inside, with p hosts and h global ports per
// switch.
//
// Global wiring is the palm tree: the groups form a circle, and port j (0 .. a*h-1) of a group sits
// on its switch j/h. Ports are dealt out in cycles of g-1. Port x of a cycle leads to the group
// x+1 places back on the circle, and meets port g-2-x of the same cycle there. One cycle joins
// every pair of groups once.
//
// Fewer groups than the a*h+1 that one cycle can join leave ports for further cycles, which add
// parallel links between groups (`fill=1`, the default; `fill=0` stops after the first cycle). The
// last cycle may have room for only r < g-1 ports. It then uses the r nearest distances that come
// in pairs d and g-d (both ends of a link must have a port for it), and g/2, which is its own
// partner, when g is even and r odd. With both odd one port stays free. In distances ascending,
// port x meets port size-1-x again, so all cycles follow one rule.
//
// Turning the circle of groups maps the network onto itself.
//
// Numbering. Switch a*i+s is switch s of group i; hosts p*s .. p*s+p-1 are those of switch s. Ports
// of a switch: hosts, the rest of the group ascending, then global links cycle by cycle, those to
// near groups first.
#pragma once

#include "ebb/topology/family.hpp"

namespace ebb::topology::dragonfly {

[[nodiscard]] Family family();

}  // namespace ebb::topology::dragonfly
