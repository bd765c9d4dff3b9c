// SPDX-License-Identifier: Apache-2.0
//
// A topology as configuration names it: a family with parameters and rates, or a graph file.
//
//   topology: {family: fbfly, hosts: 8, dims: [8, 8, 8, 8], rates: [10Gb/s, 40Gb/s],
//              floor: {electrical_limit: 5m}}
//   topology: {graph: machine-room.yaml}
//   topology: {graph: "schema_version: 1\nswitches: 2\n..."}
//
// A spec that was read without errors names a network that can be built: family, parameters and
// size have been checked, and every error carries the place of the key it is about.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/files/document.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/topology/placement.hpp"

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace ebb::traffic {
struct Shape;
}

namespace ebb::files {

// Stands for the file in errors of a graph whose text is in the section itself.
inline constexpr const char* kInlineGraph = "<graph>";

struct TopologySpec {
  std::string family;  // empty when `graph` is given
  ParameterTexts parameters;
  topology::RateTable rates;
  topology::FloorPlan floor;  // lays the cables of a generated network
  // Path of a graph file, already relative to the working directory, or the text of one, which has
  // a line end.
  std::string graph;

  bool operator==(const TopologySpec&) const = default;
};

// Of the links of a fabric file without `rates`: what software switches can be told apart at.
[[nodiscard]] topology::RateTable fabric_rates();

// Reads a `topology:` section, wherever it stands. Nothing is returned when something was reported.
// A generated network without `rates` gets `default_rates`.
[[nodiscard]] std::optional<TopologySpec> read_topology_spec(
    const Value& section, Diagnostics& errors,
    const topology::RateTable& default_rates = {gigabits_per_second(40)});

// A generator file: `schema_version` and `topology`, nothing else.
[[nodiscard]] Result<TopologySpec> read_topology_spec_text(std::string_view text,
                                                           const std::string& name_for_errors);

[[nodiscard]] Result<topology::Graph> build(const TopologySpec& spec);

// A graph file or a generator file, told apart by their top-level keys.
[[nodiscard]] Result<topology::Graph> read_topology(const std::string& path);

// The open graph file: any network as a list of links. docs/graph-file.md describes the format.
//
// The header is YAML. The links are either in it (`links:`), or follow as CSV after a line `...`,
// YAML's end-of-document mark; the CSV form reads a million links in about a second. Either way
// every mistake is reported with its line and column, and a graph that is returned is connected,
// has no self loop and no link between two hosts.
//
//   const auto graph = read_graph("machine-room.yaml");
//   if (!graph) std::cerr << to_string(graph.error());
[[nodiscard]] Result<topology::Graph> read_graph(const std::string& path);
[[nodiscard]] Result<topology::Graph> read_graph_text(std::string_view text,
                                                      const std::string& name_for_errors);

// The CSV form, such that reading it gives an equal graph. A name that the format does not allow
// (a comma or a quote in it, say) is written as it is, and refused when read.
void write_graph(const topology::Graph& graph, std::ostream& out);

// What traffic patterns may know of a graph: groups and dimensions come from the family that made
// it, hosts per switch from its links. Callers include ebb/traffic/pattern.hpp.
[[nodiscard]] traffic::Shape traffic_shape(const topology::Graph& graph);

}  // namespace ebb::files
