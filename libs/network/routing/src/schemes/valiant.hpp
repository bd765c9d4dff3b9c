// SPDX-License-Identifier: Apache-2.0
//
// Valiant: every packet first goes to a random place and from there to its destination, so that no
// traffic pattern can overload a link. The place is a switch on a flattened butterfly (dimension
// order on both legs) and a group on a dragonfly (minimal on both legs).
//
// UGAL-L: the caller chooses, packet by packet, between the direct way and such a detour.
//
// Piggyback (Jiang, Kim, Dally: "Indirect Adaptive Routing on Large Scale Interconnection
// Networks", ISCA 2009): UGAL-L on a dragonfly whose switches tell each other, within a group,
// which global links are congested; a packet whose direct way has one of these takes the detour.
//
// State: phase 0 on the way to the intermediate place, phase 1 from there on. The first leg and the
// second have virtual channels of their own.
#pragma once

#include "ebb/routing/scheme.hpp"

namespace ebb::routing {

namespace valiant {
[[nodiscard]] Scheme scheme();
}

namespace ugal {
[[nodiscard]] Scheme scheme();
}

namespace piggyback {
[[nodiscard]] Scheme scheme();
}

}  // namespace ebb::routing
