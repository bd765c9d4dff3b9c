// SPDX-License-Identifier: Apache-2.0
#include "export/attributes.hpp"

#include "ebb/topology/export.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ostream>

namespace ebb::topology {
namespace {

constexpr std::string_view kHead =
    R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="name" for="node" attr.name="name" attr.type="string"/>
  <key id="kind" for="node" attr.name="kind" attr.type="string"/>
  <key id="medium" for="edge" attr.name="medium" attr.type="string"/>
  <key id="length" for="edge" attr.name="length" attr.type="double"/>
  <key id="rate" for="edge" attr.name="rate" attr.type="string"/>
  <graph edgedefault="undirected">
)";

// Control characters have no form in XML 1.0, not even an escaped one.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += ' ';
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

// Ids are node numbers, because a user's names may be any text; edges have ids because parallel
// links are told apart by them.
void to_graphml(std::ostream& out, const Graph& graph) {
  out << kHead;
  for (std::uint32_t n = 0; n < graph.node_count(); ++n) {
    const NodeId node{n};
    fmt::print(out,
               "    <node id=\"n{}\"><data key=\"name\">{}</data><data key=\"kind\">{}</data>"
               "</node>\n",
               n, escaped(graph.name(node)), graph.is_host(node) ? "host" : "switch");
  }
  for (std::uint32_t l = 0; l < graph.link_count(); ++l) {
    const Link& link = graph.link(LinkId{l});
    fmt::print(out,
               "    <edge id=\"e{}\" source=\"n{}\" target=\"n{}\"><data key=\"medium\">{}</data>"
               "<data key=\"length\">{}</data><data key=\"rate\">{}</data></edge>\n",
               l, index(link.a), index(link.b), to_text(link.medium), metres_text(link),
               rate_text(graph, link));
  }
  out << "  </graph>\n</graphml>\n";
}

}  // namespace ebb::topology
