// SPDX-License-Identifier: Apache-2.0
//
// Any shortest path on any graph. The virtual channel is the number of links taken, so as many are
// needed as the longest shortest path between hosts has links. A byte per (destination switch,
// switch) of tables.
#pragma once

#include "ebb/routing/scheme.hpp"

namespace ebb::routing::shortest_path {

[[nodiscard]] Scheme scheme();

}  // namespace ebb::routing::shortest_path
