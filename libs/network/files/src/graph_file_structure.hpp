// SPDX-License-Identifier: Apache-2.0
//
// What can only be said about a whole graph: every node has a link, and one can go from any node
// to any other.
#pragma once

#include "graph_file_header.hpp"
#include "graph_file_nodes.hpp"

#include "ebb/files/document.hpp"
#include "ebb/topology/graph.hpp"

#include <span>

namespace ebb::files {

// Complaints are placed at the list of the nodes they are about.
void check_structure(const GraphHeader& header, const NodeTable& nodes,
                     std::span<const topology::Link> links, Diagnostics& errors);

}  // namespace ebb::files
