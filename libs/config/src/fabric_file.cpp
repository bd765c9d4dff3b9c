// SPDX-License-Identifier: Apache-2.0
#include "ebb/config/fabric_file.hpp"

#include "shown.hpp"

#include "ebb/testbed/layout.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace ebb::config {
namespace {

constexpr std::size_t kLargestFile = 1 << 20;

// What a software switch can be told apart at.
topology::RateLadder default_rates() {
  return {megabits_per_second(1), megabits_per_second(10), megabits_per_second(100)};
}

void read_name(Section& fabric, std::string& name) {
  const auto value = fabric.require("name");
  const auto text = value ? value->text(fabric.errors()) : std::nullopt;
  if (!text) return;
  if (!testbed::is_fabric_name(*text)) {
    value->report(fabric.errors(),
                  fmt::format("'{}' is no name of a fabric: 1 to 8 of a-z and 0-9", shown(*text)));
  }
  name = *text;
}

// Errors of a graph file say where they are in it.
void report_all(const Errors& mistakes, const Value& place, Diagnostics& errors) {
  for (const Error& mistake : mistakes) {
    place.report(errors, mistake.where.file.empty() ? mistake.message : to_string(mistake));
  }
}

Errors misfits_of_family(const TopologySpec& spec) {
  if (spec.family.empty()) return {};
  const auto figures = topology::figures(spec.family, spec.parameters);
  return figures ? testbed::misfits_of_size(figures->switches, figures->hosts) : figures.error();
}

void read_network(Section& fabric, FabricFile& file) {
  const auto value = fabric.require("topology");
  auto spec = value ? read_topology_spec(*value, fabric.errors(), default_rates()) : std::nullopt;
  if (!spec) return;
  if (const Errors large = misfits_of_family(*spec); !large.empty())
    return report_all(large, *value, fabric.errors());
  auto graph = build(*spec);
  if (!graph) return report_all(graph.error(), *value, fabric.errors());
  report_all(testbed::misfits(*graph), *value, fabric.errors());
  file.topology = std::move(*spec);
  file.graph = std::move(*graph);
}

}  // namespace

Result<FabricFile> read_fabric_text(std::string_view text, const std::string& file) {
  Diagnostics errors(file);
  const auto root = read_yaml(text, errors);
  if (!root) return fail(errors.take());
  Section section(*root, errors);
  FabricFile fabric;
  section.require_schema_version(1);
  read_name(section, fabric.name);
  read_network(section, fabric);
  section.finish();
  if (!errors.empty()) return fail(errors.take());
  return fabric;
}

Result<FabricFile> read_fabric(const std::string& path) {
  const auto text = read_file(path, kLargestFile);
  if (!text) return fail(text.error());
  return read_fabric_text(*text, path);
}

}  // namespace ebb::config
