// SPDX-License-Identifier: Apache-2.0
//
// Up, then down, on a folded Clos: adaptive among all uplinks that can reach the destination, then
// among the links that lead back to it.
#pragma once

#include "ebb/routing/scheme.hpp"

namespace ebb::routing::up_down {

[[nodiscard]] Scheme scheme();

}  // namespace ebb::routing::up_down
