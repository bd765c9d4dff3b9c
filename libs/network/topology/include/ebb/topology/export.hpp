// SPDX-License-Identifier: Apache-2.0
//
// The graph for other tools: DOT for Graphviz, GraphML for networkx, Gephi and yEd. Nodes carry
// their kind, links their medium, length in metres (0: not laid) and full rate. Written link by
// link, so the text of a large network is never held in memory.
#pragma once

#include "ebb/topology/graph.hpp"

#include <iosfwd>

namespace ebb::topology {

void to_dot(std::ostream& out, const Graph& graph);
void to_graphml(std::ostream& out, const Graph& graph);

}  // namespace ebb::topology
