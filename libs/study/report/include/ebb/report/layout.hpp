// SPDX-License-Identifier: Apache-2.0
//
// Where the switches of a network stand in a drawing. The same graph gives the same drawing.
//
// Networks in which some switches bear no hosts are drawn in layers, by their distance from hosts;
// grids as grids, further dimensions as grids of grids; dragonflies as circles on a circle; stars
// as a switch amid a circle; everything else as a circle.
#pragma once

#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <vector>

namespace ebb::report {

// x grows to the right from 0 to 1, y downwards from 0, in the same unit.
struct Point {
  double x = 0;
  double y = 0;

  bool operator==(const Point&) const = default;
};

// A link between switches.
struct Line {
  topology::LinkId link{};
  // How far its middle stands off the straight way from a to b, to the right, in the unit of x: not
  // 0 where the straight way would lead through another switch or cover a parallel link.
  double bend = 0;
};

struct Layout {
  std::vector<Point> switches;
  std::vector<Line> lines;
};

// Beyond this a drawing shows nothing but ink.
inline constexpr std::uint32_t kMostSwitchesDrawn = 200;

[[nodiscard]] Layout layout(const topology::Graph& graph);

}  // namespace ebb::report
