// SPDX-License-Identifier: Apache-2.0
//
// The open graph file: any network as a list of links. docs/graph-file.md describes the format.
//
// The header is YAML. The links are either in it (`links:`), or follow as CSV after a line `...`,
// YAML's end-of-document mark; the CSV form reads a million links in about a second. Either way
// every mistake is reported with its line and column, and a graph that is returned is connected,
// has no self loop and no link between two hosts.
//
//   const auto graph = read_graph("machine-room.yaml");
//   if (!graph) std::cerr << to_string(graph.error());
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/topology/graph.hpp"

#include <iosfwd>
#include <string>
#include <string_view>

namespace ebb::files {

[[nodiscard]] Result<topology::Graph> read_graph(const std::string& path);
[[nodiscard]] Result<topology::Graph> read_graph_text(std::string_view text,
                                                      const std::string& name_for_errors);

// The CSV form, such that reading it gives an equal graph. A name that the format does not allow
// (a comma or a quote in it, say) is written as it is, and refused when read.
void write_graph(const topology::Graph& graph, std::ostream& out);

}  // namespace ebb::files
