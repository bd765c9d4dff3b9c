// SPDX-License-Identifier: Apache-2.0
#include "graph_file_parts.hpp"

#include "ebb/core/names.hpp"
#include "ebb/files/document.hpp"
#include "ebb/files/sections.hpp"
#include "ebb/topology/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

namespace ebb::files {

std::optional<NumberedNode> numbered_node(std::string_view text) {
  if (text.size() < 2 || (text[0] != 's' && text[0] != 'h')) return std::nullopt;
  const std::string_view digits = text.substr(1);
  if (digits[0] == '0' && digits.size() > 1) return std::nullopt;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
  NumberedNode node{text[0] == 'h', 0};
  const auto end = digits.data() + digits.size();
  if (std::from_chars(digits.data(), end, node.number).ec != std::errc{}) return std::nullopt;
  return node;
}

std::string name_error(std::string_view name) {
  constexpr std::size_t kLongestName = 128;
  if (name.empty()) return "a name must not be empty";
  if (name.size() > kLongestName)
    return fmt::format("a name has at most {} bytes; '{}'", kLongestName, shown(name));
  const auto forbidden = [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == '\x7f' || c == ',' || c == '"' || c == '\\';
  };
  if (std::any_of(name.begin(), name.end(), forbidden))
    return "a name must not contain commas, double quotes, backslashes or control characters";
  if (name.front() == ' ' || name.back() == ' ' || name.front() == '#')
    return fmt::format("a name must not start with '#' or a space, nor end with one: '{}'", name);
  return {};
}

NodeTable::NodeTable(std::uint32_t switches, std::uint32_t hosts,
                     std::span<const std::string> names)
    : switches_(switches), hosts_(hosts), names_(names) {
  by_name_.reserve(names.size());
  for (std::uint32_t node = 0; node < names.size(); ++node) by_name_.emplace(names[node], node);
}

std::optional<topology::NodeId> NodeTable::find(std::string_view text) const {
  if (const auto node = numbered_node(text)) {
    if (node->number >= (node->is_host ? hosts_ : switches_)) return std::nullopt;
    const auto number = static_cast<std::uint32_t>(node->number);
    return topology::NodeId{node->is_host ? switches_ + number : number};
  }
  const auto found = by_name_.find(text);
  if (found == by_name_.end()) return std::nullopt;
  return topology::NodeId{found->second};
}

std::string NodeTable::name(topology::NodeId node) const {
  if (!names_.empty()) return names_[index(node)];
  return is_host(node) ? fmt::format("h{}", index(node) - switches_)
                       : fmt::format("s{}", index(node));
}

std::string NodeTable::unknown(std::string_view text) const {
  // Comparing with every name costs more than the hint is worth on a large network.
  constexpr std::size_t kMostCompared = 10'000;
  std::string message = fmt::format("unknown node '{}'", shown(text));
  if (!numbered_node(text)) {
    const auto compared = names_.first(std::min(names_.size(), kMostCompared));
    if (const auto near = closest_name(text, compared))
      return message + fmt::format("; did you mean '{}'?", *near);
  }
  return message + numbers_in_use();
}

std::string NodeTable::numbers_in_use() const {
  const std::string hosts =
      hosts_ == 0 ? "there are no hosts" : fmt::format("hosts are h0 to h{}", hosts_ - 1);
  return fmt::format("; switches are s0 to s{}, {}", switches_ - 1, hosts);
}

namespace {

// As for generated networks: ids are 32-bit and a link has two channels.
constexpr std::int64_t kMostNodes = 16'000'000;
constexpr std::size_t kMaxRateTables = 255;  // a link keeps its rate table in a byte

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
    const std::string error = name ? name_error(*name) : "";
    if (!error.empty()) entry.report(errors, error);
    sound = sound && name && error.empty();
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

void read_rate_tables(Section& root, GraphHeader& header) {
  header.rate_table_count = kMaxRateTables;
  const auto value = root.require("rate_tables");
  const auto entries = value ? value->list(root.errors()) : std::nullopt;
  if (!entries) return;
  if (entries->empty() || entries->size() > kMaxRateTables) {
    value->report(root.errors(), fmt::format("expected 1 to {} rate tables, got {}", kMaxRateTables,
                                             entries->size()));
    return;
  }
  header.rate_table_count = entries->size();
  for (const Value& entry : *entries) {
    if (auto rate_table = read_rate_table(entry, root.errors()))
      header.rate_tables.push_back(*rate_table);
  }
}

// `family`: its name or an alias, as it was written.
void check_origin(const GraphHeader& header, const std::string& family, const KeyValues& given,
                  const Value& at, Diagnostics& errors) {
  const auto properties = checked_properties(family, header.origin.parameters, given, at, errors);
  if (!properties || !header.nodes_known) return;
  // Routing computes coordinates from node numbers, so the numbers must be those of the family.
  if (properties->switches == header.switches && properties->hosts == header.hosts) return;
  at.report(errors,
            fmt::format("this {} has {} switches and {} hosts, the file {} and {}", family,
                        properties->switches, properties->hosts, header.switches, header.hosts));
}

std::vector<std::string> origin_names() {
  std::vector<std::string> names{"imported"};
  for (std::string& name : topology::family_names()) names.push_back(std::move(name));
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
  const topology::Family& meant = **topology::find_family(*family);
  header.origin = {meant.name, topology::with_fixed(meant, parameter_texts(given, errors))};
  check_origin(header, *family, given, parameters.value_or(value), errors);
}

}  // namespace

GraphHeader read_graph_header(const Value& value, Diagnostics& errors) {
  GraphHeader header;
  Section root(value, errors);
  root.require_schema_version(1);
  read_nodes(root, header);
  read_rate_tables(root, header);
  if (const auto chips = root.find_integer("chips_per_box", 1, kMostNodes))
    header.chips_per_box = static_cast<std::uint32_t>(*chips);
  if (const auto origin = root.find("origin")) read_origin(*origin, header, errors);
  header.links = root.find("links");
  root.finish();
  return header;
}

}  // namespace ebb::files
