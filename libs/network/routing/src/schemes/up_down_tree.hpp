// SPDX-License-Identifier: Apache-2.0
//
// Up*/down* on any graph (ranked/ranks.hpp): a route goes up any number of times, then down any
// number of times, and never up again. Of these routes the shortest are taken.
//
// One virtual channel, on any graph; the price is longer routes and a busy root. Two bytes per
// (destination switch, switch) of tables.
#pragma once

#include "ebb/routing/scheme.hpp"

namespace ebb::routing::up_down_tree {

[[nodiscard]] Scheme scheme();

}  // namespace ebb::routing::up_down_tree
