// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/graph.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ostream>

namespace ebb::topology {
namespace {

// Exact: "5.6".
std::string metres_text(const Link& link) {
  std::string text = fmt::format("{}.{:03}", link.length_mm / 1'000, link.length_mm % 1'000);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string rate_text(const Graph& graph, const Link& link) {
  return to_text(graph.full_rate(link));
}

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
