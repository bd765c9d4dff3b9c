// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/topology_file.hpp"

#include "graph_file_parts.hpp"

#include "ebb/core/names.hpp"
#include "ebb/files/document.hpp"
#include "ebb/files/sections.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/traffic/pattern.hpp"
#include "ebb/units/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace ebb::files {
namespace {

// A path has no line end, and the text of a file has one.
bool is_text(const std::string& file) { return file.find('\n') != std::string::npos; }

// The keys that are the family's own. An unknown key is compared with every key that could stand
// here.
KeyValues family_keys(Section& section, const topology::Family& family) {
  const std::vector<std::string> own = {"family", "rates", "floor"};
  std::vector<std::string> valid;
  for (const Parameter& parameter : family.parameters) valid.push_back(parameter.name);
  valid.push_back(topology::planes_parameter().name);
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

// `name`: the family's own, or the alias that was written.
TopologySpec read_generator(Section& section, const std::string& name,
                            const topology::Family& family,
                            const topology::RateTable& default_rates) {
  Diagnostics& errors = section.errors();
  TopologySpec spec{.family = family.name, .rates = default_rates};
  if (const auto rates = section.find("rates"))
    spec.rates = read_rate_table(*rates, errors).value_or(default_rates);
  read_floor(section, spec.floor);
  const KeyValues given = family_keys(section, family);
  spec.parameters = topology::with_fixed(family, parameter_texts(given, errors));
  (void)checked_properties(name, spec.parameters, given, section.value(), errors);
  return spec;
}

TopologySpec read_section(Section& section, const topology::RateTable& default_rates) {
  Diagnostics& errors = section.errors();
  if (const auto path = section.find_text("graph")) {
    section.finish();
    if (path->empty()) section.find("graph")->report(errors, "expected the path of a graph file");
    return {.graph = is_text(*path) ? *path : beside(errors.file(), *path)};
  }
  const auto name = section.require("family");
  const auto text = name ? name->text(errors) : std::nullopt;
  if (!text) return {};
  const auto family = topology::find_family(shown(*text));
  if (family) return read_generator(section, *text, **family, default_rates);
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

topology::RateTable fabric_rates() {
  return {megabits_per_second(1), megabits_per_second(10), megabits_per_second(100)};
}

std::optional<TopologySpec> read_topology_spec(const Value& section, Diagnostics& errors,
                                               const topology::RateTable& default_rates) {
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
  if (is_text(spec.graph)) return read_graph_text(spec.graph, kInlineGraph);
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
  if (!root->is_map() || has_key(keys, {"switches", "hosts", "rate_tables", "links"}))
    return graph_from(*root, parts, errors);
  root->report(errors,
               "neither a generated topology (key 'topology') nor a graph (keys 'switches', "
               "'hosts', 'rate_tables')");
  return fail(errors.take());
}

namespace {

using topology::Graph;
using topology::NodeId;

// A host is served by its first link.
NodeId switch_of(const Graph& graph, std::uint32_t host) {
  return graph.target(graph.outputs(graph.host_node(host)).front());
}

// 0 unless hosts come in equal runs, each run on a switch of its own.
std::uint32_t hosts_per_switch(const Graph& graph) {
  const std::uint32_t hosts = graph.host_count();
  if (hosts == 0) return 0;
  std::uint32_t run = 1;
  while (run < hosts && switch_of(graph, run) == switch_of(graph, 0)) ++run;
  std::vector<bool> seen(graph.switch_count());
  for (std::uint32_t host = 0; host < hosts; ++host) {
    const std::uint32_t at = index(switch_of(graph, host));
    const bool first_of_run = host % run == 0;
    if (first_of_run ? seen[at] : switch_of(graph, host - 1) != NodeId{at}) return 0;
    seen[at] = true;
  }
  return hosts % run == 0 ? run : 0;
}

std::vector<std::uint32_t> dims_of(const topology::Family& family, const Parameters& parameters) {
  const bool grid = std::any_of(family.parameters.begin(), family.parameters.end(),
                                [](const Parameter& known) { return known.name == "dims"; });
  std::vector<std::uint32_t> dims;
  if (!grid) return dims;
  for (const std::int64_t k : parameters.list("dims"))
    dims.push_back(static_cast<std::uint32_t>(k));
  return dims;
}

// All hosts where there are no groups. On a rail-clos hosts follow each other in pods.
std::int64_t hosts_per_group(std::string_view family, const topology::Properties& known,
                             const Parameters& parameters) {
  if (family == "rail-clos") return parameters.integer("servers") * parameters.integer("gpus");
  if (known.groups == 1) return known.hosts;
  return known.access_switches_per_group * known.hosts_per_access_switch;
}

}  // namespace

traffic::Shape traffic_shape(const Graph& graph) {
  if (graph.planes() > 1) return traffic_shape(topology::one_plane(graph));
  traffic::Shape shape{.hosts = graph.hosts_of_plane(),
                       .hosts_per_switch = hosts_per_switch(graph)};
  const topology::Origin& origin = graph.origin();
  const auto family = topology::find_family(origin.family);
  if (!family) return shape;  // imported
  const auto properties = topology::properties(origin.family, origin.parameters);
  const auto parameters = Parameters::resolve((*family)->parameters, origin.parameters);
  if (!properties || !parameters) return shape;
  const std::int64_t group = hosts_per_group(origin.family, *properties, *parameters);
  if (group < properties->hosts) shape.hosts_per_group = static_cast<std::uint32_t>(group);
  shape.dims = dims_of(**family, *parameters);
  return shape;
}

}  // namespace ebb::files
