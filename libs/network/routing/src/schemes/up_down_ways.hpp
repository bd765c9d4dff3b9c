// SPDX-License-Identifier: Apache-2.0
//
// Up*/down* on any graph with every legal output, not only the shortest: a packet that has not gone
// down yet may take every link up, and every packet each link down from which its destination can
// be reached by going down only. So a switch has several outputs for most destinations, and links
// can rest while others carry what is on its way. Candidates say how much longer their way is.
//
// A packet may turn round where it stops going up. One virtual channel; four bytes per (destination
// switch, switch) of tables.
#pragma once

#include "ebb/routing/scheme.hpp"

namespace ebb::routing::up_down_ways {

[[nodiscard]] Scheme scheme();

}  // namespace ebb::routing::up_down_ways
