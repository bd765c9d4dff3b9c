// SPDX-License-Identifier: Apache-2.0
//
// Flattened butterfly / HyperX: switches on a grid, fully connected along each dimension.
//
// Switch s has coordinates (x_1, ..., x_n), x_1 varying fastest; hosts s*c .. s*c+c-1 are its own.
// Ports of a switch: its hosts first, then dimension by dimension the other coordinates ascending,
// each `parallel` times. The k-ary n-flat of "Energy Proportional Datacenter Networks" has n-1
// dimensions of radix k: the 8-ary 5-flat is hosts=8 dims=8x8x8x8.
#pragma once

#include "ebb/topology/family.hpp"

namespace ebb::topology::fbfly {

[[nodiscard]] Family family();

}  // namespace ebb::topology::fbfly
