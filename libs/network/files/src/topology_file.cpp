// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/topology_file.hpp"

#include "graph_file_csv.hpp"
#include "graph_file_text.hpp"

#include "ebb/core/suggest.hpp"
#include "ebb/files/floor_section.hpp"
#include "ebb/files/graph_file.hpp"
#include "ebb/files/parameter_texts.hpp"
#include "ebb/files/shown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace ebb::files {
namespace {

std::string beside(const std::string& file, const std::string& path) {
  return (std::filesystem::path(file).parent_path() / path).string();
}

// The keys that are the family's own. A stranger is compared with every key that could stand here.
KeyValues family_keys(Section& section, const topology::Family& family) {
  const std::vector<std::string> own = {"family", "rates", "floor"};
  std::vector<std::string> valid;
  for (const Parameter& parameter : family.parameters) valid.push_back(parameter.name);
  const std::size_t parameters = valid.size();
  valid.insert(valid.end(), own.begin(), own.end());
  KeyValues given;
  for (const auto& [name, value] : section.entries()) {
    const auto at = std::find(valid.begin(), valid.end(), name) - valid.begin();
    if (at < static_cast<std::ptrdiff_t>(parameters)) given.emplace_back(name, value);
    if (at == static_cast<std::ptrdiff_t>(valid.size()))
      value.report(section.errors(), unknown_name("key", shown(name), valid));
  }
  return given;
}

TopologySpec read_generator(Section& section, const topology::Family& family,
                            const topology::RateLadder& default_rates) {
  Diagnostics& errors = section.errors();
  TopologySpec spec{.family = family.name, .rates = default_rates};
  if (const auto rates = section.find("rates"))
    spec.rates = read_ladder(*rates, errors).value_or(default_rates);
  read_floor(section, spec.floor);
  const KeyValues given = family_keys(section, family);
  spec.parameters = parameter_texts(given, errors);
  (void)checked_figures(family.name, spec.parameters, given, section.value(), errors);
  return spec;
}

TopologySpec read_section(Section& section, const topology::RateLadder& default_rates) {
  Diagnostics& errors = section.errors();
  if (const auto path = section.find_text("graph")) {
    section.finish();
    if (path->empty()) section.find("graph")->report(errors, "expected the path of a graph file");
    return {.graph = beside(errors.file(), *path)};
  }
  const auto name = section.require("family");
  const auto text = name ? name->text(errors) : std::nullopt;
  if (!text) return {};
  const auto family = topology::find_family(shown(*text));
  if (family) return read_generator(section, **family, default_rates);
  name->report(errors, family.error().front().message);
  return {};
}

std::optional<TopologySpec> read_generator_file(const Value& value, const FileParts& parts,
                                                Diagnostics& errors) {
  Section root(value, errors);
  root.require_schema_version(1);
  const auto section = root.require("topology");
  root.finish();
  if (has_csv(parts.csv))
    errors.add("nothing may follow the description of a generated topology", parts.csv_line + 1, 1);
  if (!section) return std::nullopt;
  auto spec = read_topology_spec(*section, errors);
  return errors.empty() ? spec : std::nullopt;
}

// Keys that only one kind of file has.
bool has_key(Section& root, std::initializer_list<std::string_view> keys) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](auto key) { return root.find(key).has_value(); });
}

}  // namespace

std::optional<TopologySpec> read_topology_spec(const Value& section, Diagnostics& errors,
                                               const topology::RateLadder& default_rates) {
  // Errors from elsewhere in the document say nothing about this section.
  Diagnostics own(errors.file());
  Section keys(section, own);
  TopologySpec spec = section.is_map() ? read_section(keys, default_rates) : TopologySpec{};
  if (own.empty()) return spec;
  for (Error& error : own.take())
    errors.add(std::move(error.message), error.where.line, error.where.column, error.where.path);
  return std::nullopt;
}

Result<TopologySpec> read_topology_spec_text(std::string_view text,
                                             const std::string& name_for_errors) {
  Diagnostics errors(name_for_errors);
  const FileParts parts = split_at_document_end(text);
  const auto root = read_yaml_part(parts, errors);
  const auto spec = root ? read_generator_file(*root, parts, errors) : std::nullopt;
  if (!spec) return fail(errors.take());
  return *spec;
}

Result<topology::Graph> build(const TopologySpec& spec) {
  if (!spec.graph.empty()) return read_graph(spec.graph);
  auto graph = topology::build(spec.family, spec.parameters, spec.rates);
  if (!graph) return graph;
  if (auto placed = topology::place_cables(*graph, spec.floor); !placed) {
    return fail(placed.error());
  }
  return graph;
}

Result<topology::Graph> read_topology(const std::string& path) {
  const auto text = read_file(path, kMostGraphBytes);
  if (!text) return fail(text.error());
  Diagnostics errors(path);
  const FileParts parts = split_at_document_end(*text);
  const auto root = read_yaml_part(parts, errors);
  if (!root) return fail(errors.take());
  Diagnostics unused(path);
  Section keys(*root, unused);
  if (has_key(keys, {"topology"})) {
    const auto spec = read_generator_file(*root, parts, errors);
    return spec ? build(*spec) : fail(errors.take());
  }
  if (!root->is_map() || has_key(keys, {"switches", "hosts", "ladders", "links"}))
    return graph_from(*root, parts, errors);
  root->report(errors,
               "neither a generated topology (key 'topology') nor a graph (keys 'switches', "
               "'hosts', 'ladders')");
  return fail(errors.take());
}

}  // namespace ebb::files
