// SPDX-License-Identifier: Apache-2.0
//
// Torus: switches on a grid, each line of a dimension closed to a ring. A ring of two switches is
// one link, not two: the way round would join the same pair again (use `parallel` for that).
//
// Numbering and port order as in grid/grid.hpp.
#pragma once

#include "ebb/topology/family.hpp"

namespace ebb::topology::torus {

[[nodiscard]] Family family();

}  // namespace ebb::topology::torus
