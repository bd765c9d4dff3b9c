// SPDX-License-Identifier: Apache-2.0
//
// Ways to place switches, in any unit: layout() fits the result into the picture.
#pragma once

#include "ebb/report/layout.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace ebb::report {

// Clockwise from the top.
[[nodiscard]] std::vector<Point> on_circle(std::uint32_t count);

// The first in the middle of the others.
[[nodiscard]] std::vector<Point> around_first(std::uint32_t count);

// `dims` of a family's grid, first varying fastest: columns, rows, columns of blocks, ...
[[nodiscard]] std::vector<Point> on_grid(const std::vector<std::uint32_t>& dims);

// Groups of `group` consecutive switches as small circles on a large one.
[[nodiscard]] std::vector<Point> in_groups(std::uint32_t count, std::uint32_t group);

// Rows by distance from the nearest host, hosts' switches at the bottom. Nothing when every switch
// bears hosts.
[[nodiscard]] std::optional<std::vector<Point>> in_layers(const topology::Graph& graph);

}  // namespace ebb::report
