// SPDX-License-Identifier: Apache-2.0
//
// One simulation from Python: what is asked for, and the run that comes back with everything that
// it measured. The columns of its tables are arrays of numpy.
#pragma once

#include "input.hpp"

#include "ebb/config/simulation.hpp"
#include "ebb/netsim/report.hpp"

#include <cstdint>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace ebb::python {

struct SimulateRequest {
  Document document;
  std::vector<std::string> overrides;  // as `--set` takes them
  std::vector<std::string> made_keys;  // whose values come from objects of the caller
  std::string data_folder;
  std::vector<std::string> part_files;
  std::uint32_t threads = 1;
  std::optional<std::string> transcript;  // path
};

struct Run {
  Parts parts;  // the simulation may refer to them
  config::Simulation simulation;
  netsim::Report report;
};

// The tables of a run, as members of its class.
void bind_run_tables(pybind11::class_<Run>& type);

}  // namespace ebb::python
