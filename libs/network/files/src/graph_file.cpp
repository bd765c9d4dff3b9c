// SPDX-License-Identifier: Apache-2.0
#include "graph_file_parts.hpp"

#include "ebb/files/topology_file.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/units/parameters.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ebb::files {
namespace {

void read_yaml_links(const Value& list, LinkReader& links, Diagnostics& errors) {
  const auto entries = list.list(errors);
  if (!entries) return;
  links.reserve(entries->size());
  for (const Value& entry : *entries) {
    if (links.stopped()) return;
    links.add(entry);
  }
}

// What the origin says, if it says that.
std::uint32_t planes_of(const topology::Origin& origin) {
  const Parameter& planes = topology::planes_parameter();
  for (const auto& parameter : origin.parameters) {
    if (parameter.first != planes.name) continue;
    const auto given = Parameters::resolve({&planes, 1}, {parameter});
    if (given) return static_cast<std::uint32_t>(given->integer(planes.name));
  }
  return 1;
}

topology::Graph build(GraphHeader& header, const std::vector<topology::Link>& links) {
  topology::GraphBuilder builder(header.switches, header.hosts, std::move(header.rate_tables));
  builder.reserve(links.size());
  for (const topology::Link& link : links) builder.connect(link);
  builder.set_chips_per_box(header.chips_per_box);
  builder.set_names(std::move(header.names));
  // Otherwise its planes are parts that cannot be reached from each other, which is reported.
  if (const auto planes = planes_of(header.origin); builder.are_copies(planes))
    builder.set_planes(planes);
  const auto known = topology::properties(header.origin.family, header.origin.parameters);
  if (known && known->interfaces > 1 && header.hosts == known->hosts * known->interfaces)
    builder.set_interfaces(static_cast<std::uint32_t>(known->interfaces));
  return std::move(builder).build(std::move(header.origin));
}

// Links in one place, and only one.
void check_form(const Value& root, const GraphHeader& header, bool csv, int csv_line,
                Diagnostics& errors) {
  if (!header.links && !csv && root.is_map())
    root.report(errors, "missing key 'links', or CSV after a line '...'");
  if (header.links && csv) {
    header.links->report(
        errors, fmt::format("links are given here and again as CSV after line {}", csv_line));
  }
}

}  // namespace

FileParts split_at_document_end(std::string_view text) {
  int line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view row = text.substr(begin, end - begin);
    if (row == "..." || row == "...\r")
      return {text.substr(0, begin), text.substr(std::min(end + 1, text.size())), line};
    begin = end + 1;
  }
  return {text, {}, 0};
}

std::optional<Value> read_yaml_part(const FileParts& parts, Diagnostics& errors) {
  constexpr std::size_t kMostYamlBytes = std::size_t{64} << 20U;
  if (parts.yaml.size() > kMostYamlBytes) {
    errors.add(fmt::format("the YAML part has {} bytes, ebb reads {}; give the links as CSV",
                           parts.yaml.size(), kMostYamlBytes));
    return std::nullopt;
  }
  return read_yaml(parts.yaml, errors);
}

Result<topology::Graph> graph_from(const Value& root, const FileParts& parts, Diagnostics& errors) {
  GraphHeader header = read_graph_header(root, errors);
  const bool csv = has_csv(parts.csv);
  check_form(root, header, csv, parts.csv_line, errors);
  if (!header.nodes_known) {
    if (header.links) (void)header.links->list(errors);  // at least it must be a list
    return fail(errors.take());
  }
  LinkReader links(header, errors);
  if (header.links) read_yaml_links(*header.links, links, errors);
  if (csv) read_csv_links(parts.csv, parts.csv_line, links, errors);
  const NodeTable& nodes = links.nodes();
  const auto sound = links.take();
  // A refused link would show up again as a node without a link.
  if (errors.empty()) check_structure(header, nodes, sound, errors);
  if (!errors.empty()) return fail(errors.take());
  return build(header, sound);
}

Result<topology::Graph> read_graph_text(std::string_view text, const std::string& name_for_errors) {
  Diagnostics errors(name_for_errors);
  const FileParts parts = split_at_document_end(text);
  const auto root = read_yaml_part(parts, errors);
  if (!root) return fail(errors.take());
  return graph_from(*root, parts, errors);
}

Result<topology::Graph> read_graph(const std::string& path) {
  const auto text = read_file(path, kMostGraphBytes);
  if (!text) return fail(text.error());
  return read_graph_text(*text, path);
}

namespace {

using topology::Link;
using topology::NodeId;

// Disjoint sets of nodes, joined link by link.
class Islands {
 public:
  explicit Islands(std::uint32_t nodes) : parent_(nodes) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  // The smallest node of the island.
  std::uint32_t root(std::uint32_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }

  void join(NodeId a, NodeId b) {
    const auto [low, high] = std::minmax({root(index(a)), root(index(b))});
    parent_[high] = low;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

void report_node(const GraphHeader& header, const NodeTable& nodes, std::uint32_t node,
                 std::string message, Diagnostics& errors) {
  const bool host = nodes.is_host(NodeId{node});
  const Place at = host ? header.hosts_at : header.switches_at;
  errors.add(std::move(message), at.line, at.column, host ? "hosts" : "switches");
}

// A header of a few bytes can announce millions of nodes: this looks for bare ones at a bit each,
// before anything larger is made.
bool all_nodes_have_links(const GraphHeader& header, const NodeTable& nodes,
                          std::span<const Link> links, Diagnostics& errors) {
  const std::uint32_t count = header.switches + header.hosts;
  if (count == 1) return true;
  std::vector<bool> linked(count);
  for (const Link& link : links) linked[index(link.a)] = linked[index(link.b)] = true;
  bool all = true;
  for (std::uint32_t node = 0; node < count && !errors.full(); ++node) {
    if (linked[node]) continue;
    report_node(header, nodes, node, fmt::format("{} has no link", nodes.name(NodeId{node})),
                errors);
    all = false;
  }
  return all;
}

}  // namespace

void check_structure(const GraphHeader& header, const NodeTable& nodes, std::span<const Link> links,
                     Diagnostics& errors) {
  if (!all_nodes_have_links(header, nodes, links, errors)) return;
  const std::uint32_t count = header.switches + header.hosts;
  Islands islands(count);
  for (const Link& link : links) islands.join(link.a, link.b);
  std::uint32_t unreached = 0;
  std::uint32_t first = 0;
  for (std::uint32_t node = 0; node < count; ++node) {
    if (islands.root(node) == 0) continue;
    if (unreached++ == 0) first = node;
  }
  if (unreached == 0) return;
  report_node(header, nodes, first,
              fmt::format("the graph falls apart: {} of {} nodes, {} among them, cannot be reached "
                          "from {}",
                          unreached, count, nodes.name(NodeId{first}), nodes.name(NodeId{0})),
              errors);
}

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

void write_rate_tables(const Graph& graph, std::ostream& out) {
  out << "rate_tables:\n";
  for (const topology::RateTable& rate_table : graph.rate_tables()) {
    out << "  - [";
    for (std::size_t i = 0; i < rate_table.size(); ++i)
      out << (i == 0 ? "" : ", ") << to_text(rate_table[i]);
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
    if (link.rate_table != 0) return kLinkKeys.size();
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
    if (columns > 4) fmt::format_to(to_row, ",{}", link.rate_table);
    row.push_back('\n');
    out.write(row.data(), static_cast<std::streamsize>(row.size()));
  }
}

}  // namespace

void write_graph(const Graph& graph, std::ostream& out) {
  out << "schema_version: 1\n";
  write_nodes(graph, "switches", 0, graph.switch_count(), out);
  write_nodes(graph, "hosts", graph.switch_count(), graph.host_count(), out);
  write_rate_tables(graph, out);
  if (graph.chips_per_box() != 1) out << "chips_per_box: " << graph.chips_per_box() << '\n';
  write_origin(graph.origin(), out);
  out << "...\n";
  write_links(graph, out);
}

}  // namespace ebb::files
