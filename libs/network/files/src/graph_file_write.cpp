// SPDX-License-Identifier: Apache-2.0
#include "graph_file_links.hpp"

#include "ebb/files/graph_file.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>
#include <string>

namespace ebb::files {
namespace {

using topology::Graph;
using topology::Link;
using topology::NodeId;

// Names are quoted because a bare `null` or `~` would be no text in YAML. Those that the format
// allows need no escapes.
void write_nodes(const Graph& graph, std::string_view key, std::uint32_t first, std::uint32_t count,
                 std::ostream& out) {
  if (graph.names().empty() || count == 0) {
    out << key << ": " << (graph.names().empty() ? fmt::to_string(count) : "[]") << '\n';
    return;
  }
  out << key << ":\n";
  for (const std::string& name : graph.names().subspan(first, count))
    out << "  - \"" << name << "\"\n";
}

void write_ladders(const Graph& graph, std::ostream& out) {
  out << "ladders:\n";
  for (const topology::RateLadder& ladder : graph.ladders()) {
    out << "  - [";
    for (std::size_t i = 0; i < ladder.size(); ++i)
      out << (i == 0 ? "" : ", ") << to_text(ladder[i]);
    out << "]\n";
  }
}

void write_origin(const topology::Origin& origin, std::ostream& out) {
  if (origin.family == "imported") return;
  out << "origin: {family: " << origin.family << ", parameters: {";
  for (std::size_t i = 0; i < origin.parameters.size(); ++i) {
    const auto& [name, text] = origin.parameters[i];
    out << (i == 0 ? "" : ", ") << name << ": \"" << text << '"';
  }
  out << "}}\n";
}

// Columns up to the last one in which some link differs from the default.
std::size_t columns_needed(const Graph& graph) {
  std::size_t columns = kRequiredLinkKeys;
  for (const Link& link : graph.links()) {
    if (link.medium != topology::Medium::electrical) columns = std::max<std::size_t>(columns, 3);
    if (link.length_mm != 0) columns = std::max<std::size_t>(columns, 4);
    if (link.ladder != 0) return kLinkKeys.size();
  }
  return columns;
}

void append_node(const Graph& graph, NodeId node, fmt::memory_buffer& row) {
  if (!graph.names().empty()) {
    row.append(graph.names()[index(node)]);
  } else if (graph.is_host(node)) {
    fmt::format_to(std::back_inserter(row), "h{}", graph.host_number(node));
  } else {
    fmt::format_to(std::back_inserter(row), "s{}", index(node));
  }
}

void write_links(const Graph& graph, std::ostream& out) {
  const std::size_t columns = columns_needed(graph);
  out << fmt::format("{}\n", fmt::join(kLinkKeys.begin(), kLinkKeys.begin() + columns, ","));
  fmt::memory_buffer row;
  for (const Link& link : graph.links()) {
    row.clear();
    append_node(graph, link.a, row);
    row.push_back(',');
    append_node(graph, link.b, row);
    const auto to_row = std::back_inserter(row);
    if (columns > 2) fmt::format_to(to_row, ",{}", to_text(link.medium));
    if (columns > 3)
      fmt::format_to(to_row, ",{}", link.length_mm == 0 ? "" : to_text(link.length()));
    if (columns > 4) fmt::format_to(to_row, ",{}", link.ladder);
    row.push_back('\n');
    out.write(row.data(), static_cast<std::streamsize>(row.size()));
  }
}

}  // namespace

void write_graph(const Graph& graph, std::ostream& out) {
  out << "schema_version: 1\n";
  write_nodes(graph, "switches", 0, graph.switch_count(), out);
  write_nodes(graph, "hosts", graph.switch_count(), graph.host_count(), out);
  write_ladders(graph, out);
  if (graph.chips_per_box() != 1) out << "chips_per_box: " << graph.chips_per_box() << '\n';
  write_origin(graph.origin(), out);
  out << "...\n";
  write_links(graph, out);
}

}  // namespace ebb::files
