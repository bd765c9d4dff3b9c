// SPDX-License-Identifier: Apache-2.0
//
// The network a verb works on: a graph or topology file, or FAMILY key=value ... with rates and a
// floor plan.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/topology/placement.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace ebb::cli {

struct NetworkOptions {
  std::vector<std::string> what;  // FILE, or FAMILY key=value ...
  std::vector<std::string> rates = {"40Gb/s"};
  topology::FloorPlan floor;
  std::string electrical_limit;
};

// `options` must live until the command line has been parsed and the verb has run.
void add_network_argument(CLI::App& verb, NetworkOptions& options);
void add_network_options(CLI::App& verb, NetworkOptions& options);

// Cables of a generated network are laid on the floor plan; a file says where its own run.
[[nodiscard]] Result<topology::Graph> load_network(const NetworkOptions& options);

}  // namespace ebb::cli
