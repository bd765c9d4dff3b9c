// SPDX-License-Identifier: Apache-2.0
//
// What traffic patterns may know of a graph: groups and dimensions come from the family that made
// it, hosts per switch from its links.
#pragma once

#include "ebb/topology/graph.hpp"
#include "ebb/traffic/shape.hpp"

namespace ebb::files {

[[nodiscard]] traffic::Shape traffic_shape(const topology::Graph& graph);

}  // namespace ebb::files
