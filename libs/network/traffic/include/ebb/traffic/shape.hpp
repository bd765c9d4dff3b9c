// SPDX-License-Identifier: Apache-2.0
//
// What patterns may know of a network, without knowing graphs. Hosts are numbered as every topology
// numbers them: those of a switch are consecutive, those of a group are consecutive, and on a grid
// the first coordinate of the switch varies fastest.
#pragma once

#include "ebb/core/error.hpp"

#include <cstdint>
#include <vector>

namespace ebb::traffic {

struct Shape {
  std::uint32_t hosts = 0;
  std::uint32_t hosts_per_switch = 0;  // 0: not the same everywhere
  std::uint32_t hosts_per_group = 0;   // 0: the network has no groups; the last may be smaller
  std::vector<std::uint32_t> dims;     // switches per dimension; empty: not a grid
};

// Every reason why no network has this shape; empty when there is none.
[[nodiscard]] Errors mistakes(const Shape& shape);

}  // namespace ebb::traffic
