// SPDX-License-Identifier: Apache-2.0
//
// A test fabric as a file; docs/fabric.md lists the keys.
//
//   schema_version: 1
//   name: tour
//   topology: {family: fbfly, hosts: 2, dims: 3x3, rates: [1Mb/s, 10Mb/s, 100Mb/s]}
#pragma once

#include "ebb/config/topology_file.hpp"
#include "ebb/core/result.hpp"
#include "ebb/topology/graph.hpp"

#include <string>
#include <string_view>

namespace ebb::config {

struct FabricFile {
  std::string name;  // begins the names of everything that is made
  TopologySpec topology;
  topology::Graph graph;  // of that topology; fits on a machine (testbed::misfits)
};

[[nodiscard]] Result<FabricFile> read_fabric(const std::string& path);
// `file` is named in errors, and graph files are looked for beside it.
[[nodiscard]] Result<FabricFile> read_fabric_text(std::string_view text, const std::string& file);

}  // namespace ebb::config
