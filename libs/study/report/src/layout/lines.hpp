// SPDX-License-Identifier: Apache-2.0
//
// Links between placed switches, bent where a straight line would mislead.
#pragma once

#include "ebb/report/layout.hpp"

#include <vector>

namespace ebb::report {

[[nodiscard]] std::vector<Line> lines_between(const topology::Graph& graph,
                                              const std::vector<Point>& places);

}  // namespace ebb::report
