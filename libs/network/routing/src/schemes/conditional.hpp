// SPDX-License-Identifier: Apache-2.0
//
// Conditional rules on a dragonfly (Benito, Vallejo, Beivide: "On the Use of Commodity Ethernet
// Technology in Exascale HPC Systems", Section V): a switch holds for every other group a default
// rule, the direct way, which is off while its output is paused, and for every port of a host an
// alternative: host i of a switch goes over the switch's own global link i mod h, and from the
// group there by the direct way. Only frames that come from hosts have an alternative, and only for
// other groups.
//
// Two virtual channels, taken in the order g0 < l0 < g1 < l1: the detour's global link is g0, the
// direct way l0, g1, l1. A rule names one output: of parallel links the first.
//
// State: phase 0 before the detour's global link, which is number `intermediate` of the switch;
// phase 1 on a direct way.
#pragma once

#include "ebb/routing/scheme.hpp"

namespace ebb::routing::conditional {

[[nodiscard]] Scheme scheme();

}  // namespace ebb::routing::conditional
