// SPDX-License-Identifier: Apache-2.0
//
// Irregular: a random connected graph in which every switch has `degree` links to others. When
// switches x degree is odd, one switch has one less. No switch is joined to itself, and parallel
// links appear only when there are fewer than `degree` other switches; every pair then has the same
// number of links, give or take one.
//
// The same seed gives the same graph on every machine. Hosts c*s .. c*s+c-1 are those of switch s.
#pragma once

#include "ebb/topology/family.hpp"

namespace ebb::topology::irregular {

[[nodiscard]] Family family();

}  // namespace ebb::topology::irregular
