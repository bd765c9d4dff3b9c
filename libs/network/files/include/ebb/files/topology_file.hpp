// SPDX-License-Identifier: Apache-2.0
//
// A topology as configuration names it: a family with parameters and rates, or a graph file.
//
//   topology: {family: fbfly, hosts: 8, dims: [8, 8, 8, 8], rates: [10Gb/s, 40Gb/s],
//              floor: {electrical_limit: 5m}}
//   topology: {graph: machine-room.yaml}
//
// A spec that was read without errors names a network that can be built: family, parameters and
// size have been checked, and every complaint carries the place of the key it is about.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/files/document.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/topology/placement.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ebb::files {

struct TopologySpec {
  std::string family;  // empty when `graph` is given
  ParameterTexts parameters;
  topology::RateLadder rates;
  topology::FloorPlan floor;  // lays the cables of a generated network
  std::string graph;          // path of a graph file, already relative to the working directory

  bool operator==(const TopologySpec&) const = default;
};

// Reads a `topology:` section, wherever it stands. Nothing is returned when something was reported.
// A generated network without `rates` gets `default_rates`.
[[nodiscard]] std::optional<TopologySpec> read_topology_spec(
    const Value& section, Diagnostics& errors,
    const topology::RateLadder& default_rates = {gigabits_per_second(40)});

// A generator file: `schema_version` and `topology`, nothing else.
[[nodiscard]] Result<TopologySpec> read_topology_spec_text(std::string_view text,
                                                           const std::string& name_for_errors);

[[nodiscard]] Result<topology::Graph> build(const TopologySpec& spec);

// A graph file or a generator file, told apart by their top-level keys.
[[nodiscard]] Result<topology::Graph> read_topology(const std::string& path);

}  // namespace ebb::files
