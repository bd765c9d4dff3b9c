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
      return "black";
    case Medium::optical:
      return "orange";
    case Medium::backplane:
      return "gray";
  }
  return "black";
}

}  // namespace

void to_dot(std::ostream& out, const Graph& graph) {
  fmt::print(out, "graph {} {{\n  node [shape=box];\n", quoted(graph.origin().family));
  for (std::uint32_t n = 0; n < graph.node_count(); ++n) {
    const NodeId node{n};
    fmt::print(out, "  {}{};\n", quoted(graph.name(node)),
               graph.is_host(node) ? " [kind=host, shape=circle]" : " [kind=switch]");
  }
  for (const Link& link : graph.links()) {
    fmt::print(out, "  {} -- {} [medium={}, length={}, rate={}, color={}];\n",
               quoted(graph.name(link.a)), quoted(graph.name(link.b)), to_text(link.medium),
               metres_text(link), quoted(rate_text(graph, link)), colour(link.medium));
  }
  out << "}\n";
}

}  // namespace ebb::topology
