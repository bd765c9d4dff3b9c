// SPDX-License-Identifier: Apache-2.0
#include "export/attributes.hpp"

#include "ebb/topology/export.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ostream>

namespace ebb::topology {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

const char* colour(Medium medium) {
  switch (medium) {
    case Medium::electrical:
      return "#7d8590";
    case Medium::optical:
      return "#e07b00";
    case Medium::backplane:
      return "#c6ccd4";
  }
  return "#7d8590";
}

}  // namespace

void to_dot(std::ostream& out, const Graph& graph) {
  // Switches in boxes over their links, hosts as points: large networks stay readable.
  fmt::print(
      out,
      "graph {} {{\n"
      "  graph [overlap=false, splines=line, outputorder=edgesfirst];\n"
      "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#dbe9f6\", color=\"#2b6cb0\", "
      "fontname=\"Helvetica\", margin=\"0.06,0.03\", width=0.3, height=0.2];\n",
      quoted(graph.origin().family));
  for (std::uint32_t n = 0; n < graph.node_count(); ++n) {
    const NodeId node{n};
    fmt::print(out, "  {}{};\n", quoted(graph.name(node)),
               graph.is_host(node) ? " [kind=host, shape=point, width=0.07, color=\"#444c56\"]"
                                   : " [kind=switch]");
  }
  for (const Link& link : graph.links()) {
    fmt::print(out, "  {} -- {} [medium={}, length={}, rate={}, color={}];\n",
               quoted(graph.name(link.a)), quoted(graph.name(link.b)), to_text(link.medium),
               metres_text(link), quoted(rate_text(graph, link)), quoted(colour(link.medium)));
  }
  out << "}\n";
}

}  // namespace ebb::topology
