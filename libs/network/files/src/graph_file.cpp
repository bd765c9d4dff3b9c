// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/graph_file.hpp"

#include "graph_file_csv.hpp"
#include "graph_file_header.hpp"
#include "graph_file_links.hpp"
#include "graph_file_structure.hpp"
#include "graph_file_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
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

topology::Graph build(GraphHeader& header, const std::vector<topology::Link>& links) {
  topology::GraphBuilder builder(header.switches, header.hosts, std::move(header.ladders));
  builder.reserve(links.size());
  for (const topology::Link& link : links) builder.connect(link);
  builder.set_chips_per_box(header.chips_per_box);
  builder.set_names(std::move(header.names));
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

}  // namespace ebb::files
