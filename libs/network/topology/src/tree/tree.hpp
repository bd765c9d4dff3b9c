// SPDX-License-Identifier: Apache-2.0
//
// The tree of "Performance Evaluation of Power-aware Multi-tree Ethernet for HPC Interconnects":
// switch 0 in the middle, the other switches each joined to it by `parallel` links. All switches
// bear hosts. Ports of a switch: its hosts first, then the other switches ascending.
#pragma once

#include "ebb/topology/family.hpp"

namespace ebb::topology::tree {

[[nodiscard]] Family family();

}  // namespace ebb::topology::tree
