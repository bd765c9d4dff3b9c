// SPDX-License-Identifier: Apache-2.0
//
// Up*/down* on any graph (Schroeder et al., "Autonet: a High-speed, Self-configuring Local Area
// Network Using Point-to-point Links"): a breadth-first search from the switch with the most links
// numbers the switches; a link leads up to the smaller number. A route goes up any number of times,
// then down any number of times, and never up again. Of these routes the shortest are taken.
//
// One virtual channel, on any graph; the price is longer routes and a busy root. Two bytes per
// (destination switch, switch) of tables.
#pragma once

#include "ebb/routing/scheme.hpp"

namespace ebb::routing::up_down_tree {

[[nodiscard]] Scheme scheme();

}  // namespace ebb::routing::up_down_tree
