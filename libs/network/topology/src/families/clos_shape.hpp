// SPDX-License-Identifier: Apache-2.0
//
// The blocks of a folded Clos, level by level, from its parameters, and what families have in
// common whose switches are joined in that way; clos.cpp says how.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/parameters.hpp"

#include <cstdint>
#include <vector>

namespace ebb::topology::clos {

struct Block {
  std::int64_t sub_blocks = 0;
  std::int64_t uplinks_below = 0;  // of all its sub-blocks
  std::int64_t switches = 0;
  std::int64_t uplinks = 0;

  // Down links of its busiest switch.
  [[nodiscard]] std::int64_t down_ports() const;
};

// All blocks of one level: `last` differs from `full` when it is partial.
struct Level {
  std::int64_t blocks = 0;
  Block full;
  Block last;

  [[nodiscard]] std::int64_t switches() const {
    return (blocks - 1) * full.switches + last.switches;
  }
  [[nodiscard]] std::int64_t uplinks() const { return (blocks - 1) * full.uplinks + last.uplinks; }
  [[nodiscard]] const Block& block(std::int64_t b) const { return b + 1 < blocks ? full : last; }
};

struct Shape {
  std::int64_t hosts = 0;
  std::int64_t ports = 0;
  std::int64_t down = 0;
  std::vector<Level> levels;  // leaves first

  [[nodiscard]] std::int64_t up() const { return ports - down; }
  [[nodiscard]] std::int64_t half() const { return ports / 2; }
  [[nodiscard]] std::int64_t leaves() const { return levels.front().blocks; }
};

// Refuses shapes that cannot be wired, and names host counts nearby that can.
[[nodiscard]] Result<Shape> shape_of(const Parameters& parameters);

// A shape's hosts are the ends of links below its leaves: D on each leaf, fewer on the last.
[[nodiscard]] Properties properties_of(const Shape& shape);
// Joins the switches, whose hosts have been attached.
void wire_levels(GraphBuilder& builder, const Shape& shape);
// Leaves with the same distances to all hosts.
[[nodiscard]] std::vector<Orbit> orbits_of(const Shape& shape);

}  // namespace ebb::topology::clos
