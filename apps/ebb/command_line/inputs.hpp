// SPDX-License-Identifier: Apache-2.0
//
// What a command line names, and how it is loaded: part files, a network, a workload. Each is a
// FILE, or NAME key=value ...
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/power/library.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/topology/placement.hpp"
#include "ebb/units/parameters.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace ebb::cli {

// One word with a dot or a slash.
[[nodiscard]] bool names_a_file(const std::vector<std::string>& what);

// Of NAME key=value ...; refuses words that are not key=value.
[[nodiscard]] Result<ParameterTexts> parameters_after_name(const std::vector<std::string>& what);

// Where parts/, peers/ and repro/ are: $EBB_DATA if set, else beside the program (../share/ebb),
// else the install prefix, else the source tree this program was built from.
[[nodiscard]] std::string data_folder();

// The shipped parts, and the user's own files after them.
[[nodiscard]] Result<power::Library> load_parts(const std::vector<std::string>& more_files);

// What to say of a rate without a unit when it is for the ports of a switch: the largest unit with
// which it is not above their rate. None when the text has a unit, or the part is no switch.
[[nodiscard]] std::optional<std::string> meant_rate(const std::string& text,
                                                    const std::string& part,
                                                    const power::Library& parts);

// The network a verb works on: a graph or topology file, or FAMILY key=value ... with rates and a
// floor plan.
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

// Options of a workload that is looked at without a network. Empty: the default.
struct WorkloadOptions {
  std::string hosts;
  std::string rate;
  std::string time;
  std::string seed;
};

struct WorkloadValues {
  std::uint32_t hosts = 1024;
  DataRate rate;
  Duration time{};
  std::uint64_t seed = 1;
};

[[nodiscard]] Result<WorkloadValues> values_of(const WorkloadOptions& options);

}  // namespace ebb::cli
