// SPDX-License-Identifier: Apache-2.0
//
// A live fabric as a file; docs/fabric.md lists the keys.
//
//   schema_version: 1
//   name: tour
//   topology: {family: fbfly, hosts: 2, dims: 3x3, rates: [1Mb/s, 10Mb/s, 100Mb/s]}
//   policy: {name: stages, period: 500ms}
//   parts: {switch: cisco-nexus-9336c-fx2, setup: 100G LR}
//   safety: {awake_for: 2s}
#pragma once

#include "ebb/controller/safety.hpp"
#include "ebb/core/result.hpp"
#include "ebb/files/named_section.hpp"
#include "ebb/files/topology_file.hpp"
#include "ebb/topology/graph.hpp"

#include <string>
#include <string_view>

namespace ebb::fabric_config {

struct FabricFile {
  std::string path;  // of the file itself
  std::string name;  // begins the names of everything that is made
  files::TopologySpec topology;
  topology::Graph graph;  // of that topology; fits on a machine (testbed::misfits)
  files::Named policy;
  std::string switch_part;  // a box; empty: watts are not known
  std::string setup;        // of its ports; empty: its first
  controller::Safety safety;

  // Where sections begin, for mistakes that show when they are put to use; 0: not in the file.
  struct Lines {
    int topology = 0;
    int policy = 0;
    int parts = 0;
  } lines;
};

[[nodiscard]] Result<FabricFile> read_fabric(const std::string& path);
// `file` is named in errors, and graph files are looked for beside it.
[[nodiscard]] Result<FabricFile> read_fabric_text(std::string_view text, const std::string& file);

}  // namespace ebb::fabric_config
