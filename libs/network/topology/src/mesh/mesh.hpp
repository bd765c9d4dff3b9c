// SPDX-License-Identifier: Apache-2.0
//
// Mesh: switches on a grid, each joined to its neighbours along every dimension; lines are open.
//
// Numbering and port order as in grid/grid.hpp.
#pragma once

#include "ebb/topology/family.hpp"

namespace ebb::topology::mesh {

[[nodiscard]] Family family();

}  // namespace ebb::topology::mesh
