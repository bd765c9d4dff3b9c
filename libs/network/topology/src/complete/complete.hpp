// SPDX-License-Identifier: Apache-2.0
//
// Complete graph: every switch is joined to every other by `parallel` links. Ports of a switch: its
// hosts first, then the other switches ascending.
#pragma once

#include "ebb/topology/family.hpp"

namespace ebb::topology::complete {

[[nodiscard]] Family family();

}  // namespace ebb::topology::complete
