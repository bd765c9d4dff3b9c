// SPDX-License-Identifier: Apache-2.0
//
// Which global ports of a group lead where, in dragonfly and in dragonfly-plus; the palm tree is
// explained in dragonfly.cpp.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/parameters.hpp"

#include <cstdint>
#include <string_view>

namespace ebb::topology::dragonfly {

struct Shape {
  std::int64_t p = 0;           // hosts per switch that has hosts
  std::int64_t a = 0;           // switches per group that have global ports
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
  // Links between floor(g/2) consecutive groups and the rest.
  [[nodiscard]] std::int64_t bisection() const;
};

// Of the parameters h, g and fill, with `p` hosts on and `a` switches per group as above; `a_name`
// is what the family calls the latter.
[[nodiscard]] Result<Shape> shape_of(const Parameters& parameters, std::int64_t p, std::int64_t a,
                                     std::string_view a_name);

// The global links. Switch s of those with global ports in group i is switch i*stride + first + s.
void join_groups(GraphBuilder& builder, const Shape& shape, std::int64_t stride,
                 std::int64_t first);

// Links on the longest shortest path. Three (local, global, local) can only be undercut in small or
// very dense networks; those are searched. 3 without a search when that would take too long.
[[nodiscard]] std::int64_t diameter(const Shape& shape);

}  // namespace ebb::topology::dragonfly
