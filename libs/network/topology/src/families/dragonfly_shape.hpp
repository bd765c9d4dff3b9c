// SPDX-License-Identifier: Apache-2.0
//
// Which global ports of a dragonfly's group lead where; see dragonfly.hpp.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/units/parameters.hpp"

#include <cstdint>

namespace ebb::topology::dragonfly {

struct Shape {
  std::int64_t p = 0;           // hosts per switch
  std::int64_t a = 0;           // switches per group
  std::int64_t h = 0;           // global ports per switch
  std::int64_t g = 0;           // groups
  std::int64_t cycles = 0;      // that join every pair of groups
  std::int64_t near_pairs = 0;  // in the last cycle: distances 1..near_pairs and g minus these
  bool opposite = false;        // in the last cycle: distance g/2

  [[nodiscard]] std::int64_t last_cycle() const { return 2 * near_pairs + (opposite ? 1 : 0); }
  // Global ports in use per group.
  [[nodiscard]] std::int64_t global_ports() const { return cycles * (g - 1) + last_cycle(); }
  // Distance on the circle to which a port in use leads, and the port at the other end.
  [[nodiscard]] std::int64_t distance(std::int64_t port) const;
  [[nodiscard]] std::int64_t partner(std::int64_t port) const;
};

[[nodiscard]] Result<Shape> shape_of(const Parameters& parameters);

// Links on the longest shortest path. Three (local, global, local) can only be undercut in small or
// very dense networks; those are searched. 3 without a search when that would take too long.
[[nodiscard]] std::int64_t diameter(const Shape& shape);

}  // namespace ebb::topology::dragonfly
