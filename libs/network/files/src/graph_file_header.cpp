// SPDX-License-Identifier: Apache-2.0
#include "graph_file_header.hpp"

#include "graph_file_nodes.hpp"

#include "ebb/files/parameter_texts.hpp"
#include "ebb/topology/family.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

namespace ebb::files {
namespace {

// As for generated networks: ids are 32-bit and a link has two channels.
constexpr std::int64_t kMostNodes = 16'000'000;
constexpr std::size_t kMostLadders = 255;  // a link keeps its ladder in a byte

// Switches or hosts: a count, or a list of names with the place of each.
struct NodeList {
  std::uint32_t count = 0;
  bool named = false;
  std::vector<std::string> names;
  std::vector<Value> entries;
  Place at;
};

std::optional<NodeList> read_names(const Value& value, std::int64_t least, Diagnostics& errors) {
  NodeList nodes{
      .named = true, .entries = *value.list(errors), .at = {value.line(), value.column()}};
  const auto count = static_cast<std::int64_t>(nodes.entries.size());
  if (count < least || count > kMostNodes) {
    value.report(errors, fmt::format("expected {} to {} names, got {}", least, kMostNodes, count));
    return std::nullopt;
  }
  bool sound = true;
  for (const Value& entry : nodes.entries) {
    const auto name = entry.text(errors);
    const std::string complaint = name ? complaint_about_name(*name) : "";
    if (!complaint.empty()) entry.report(errors, complaint);
    sound = sound && name && complaint.empty();
    nodes.names.push_back(name.value_or(""));
  }
  if (!sound) return std::nullopt;
  nodes.count = static_cast<std::uint32_t>(count);
  return nodes;
}

std::optional<NodeList> read_node_list(Section& root, std::string_view key, std::int64_t least) {
  const auto value = root.require(key);
  if (!value) return std::nullopt;
  if (value->is_list()) return read_names(*value, least, root.errors());
  if (!value->is_scalar()) {
    value->report(root.errors(), "expected a count or a list of names");
    return std::nullopt;
  }
  const auto count = value->integer(least, kMostNodes, root.errors());
  if (!count) return std::nullopt;
  return NodeList{.count = static_cast<std::uint32_t>(*count),
                  .at = {value->line(), value->column()}};
}

// "s3" always means switch number 3, so no other node may bear that name.
bool names_are_clear(const NodeList& list, bool hosts, std::unordered_map<std::string, int>& lines,
                     Diagnostics& errors) {
  bool clear = true;
  for (std::size_t i = 0; i < list.names.size(); ++i) {
    const std::string& name = list.names[i];
    const auto number = numbered_node(name);
    if (number && (number->is_host != hosts || number->number != i)) {
      list.entries[i].report(
          errors, fmt::format("'{}' always means {} number {}; this is {} number {}", name,
                              number->is_host ? "host" : "switch", number->number,
                              hosts ? "host" : "switch", i));
      clear = false;
    }
    const auto [first, fresh] = lines.emplace(name, list.entries[i].line());
    if (fresh) continue;
    list.entries[i].report(
        errors, fmt::format("'{}' is given twice, first in line {}", name, first->second));
    clear = false;
  }
  return clear;
}

void append_names(const NodeList& list, char letter, std::vector<std::string>& names) {
  for (std::uint32_t i = 0; i < list.count; ++i)
    names.push_back(list.named ? list.names[i] : fmt::format("{}{}", letter, i));
}

void read_nodes(Section& root, GraphHeader& header) {
  const auto switches = read_node_list(root, "switches", 1);
  const auto hosts = read_node_list(root, "hosts", 0);
  if (!switches || !hosts) return;
  std::unordered_map<std::string, int> lines;
  const bool switches_clear = names_are_clear(*switches, false, lines, root.errors());
  const bool hosts_clear = names_are_clear(*hosts, true, lines, root.errors());
  if (!switches_clear || !hosts_clear) return;
  header.switches = switches->count;
  header.hosts = hosts->count;
  header.switches_at = switches->at;
  header.hosts_at = hosts->at;
  header.nodes_known = true;
  if (!switches->named && !hosts->named) return;
  append_names(*switches, 's', header.names);
  append_names(*hosts, 'h', header.names);
}

void read_ladders(Section& root, GraphHeader& header) {
  header.ladder_count = kMostLadders;
  const auto value = root.require("ladders");
  const auto entries = value ? value->list(root.errors()) : std::nullopt;
  if (!entries) return;
  if (entries->empty() || entries->size() > kMostLadders) {
    value->report(root.errors(),
                  fmt::format("expected 1 to {} ladders, got {}", kMostLadders, entries->size()));
    return;
  }
  header.ladder_count = entries->size();
  for (const Value& entry : *entries) {
    if (auto ladder = read_ladder(entry, root.errors())) header.ladders.push_back(*ladder);
  }
}

void check_origin(const GraphHeader& header, const KeyValues& given, const Value& at,
                  Diagnostics& errors) {
  const auto& [family, texts] = header.origin;
  const auto figures = checked_figures(family, texts, given, at, errors);
  if (!figures || !header.nodes_known) return;
  // Routing computes coordinates from node numbers, so the numbers must be those of the family.
  if (figures->switches == header.switches && figures->hosts == header.hosts) return;
  at.report(errors, fmt::format("this {} has {} switches and {} hosts, the file {} and {}", family,
                                figures->switches, figures->hosts, header.switches, header.hosts));
}

std::vector<std::string> origin_names() {
  std::vector<std::string> names{"imported"};
  for (const topology::Family& family : topology::families()) names.push_back(family.name);
  return names;
}

void read_origin(const Value& value, GraphHeader& header, Diagnostics& errors) {
  Section origin(value, errors);
  const auto family = origin.require_one_of("family", origin_names());
  const auto parameters = origin.find("parameters");
  origin.finish();
  if (!family) return;
  KeyValues given;
  if (parameters) given = Section(*parameters, errors).entries();
  if (*family == "imported") {
    if (!given.empty()) parameters->report(errors, "an imported graph has no parameters");
    return;
  }
  header.origin = {*family, parameter_texts(given, errors)};
  check_origin(header, given, parameters.value_or(value), errors);
}

}  // namespace

GraphHeader read_graph_header(const Value& value, Diagnostics& errors) {
  GraphHeader header;
  Section root(value, errors);
  root.require_schema_version(1);
  read_nodes(root, header);
  read_ladders(root, header);
  if (const auto chips = root.find_integer("chips_per_box", 1, kMostNodes))
    header.chips_per_box = static_cast<std::uint32_t>(*chips);
  if (const auto origin = root.find("origin")) read_origin(*origin, header, errors);
  header.links = root.find("links");
  root.finish();
  return header;
}

}  // namespace ebb::files
