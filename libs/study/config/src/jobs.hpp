// SPDX-License-Identifier: Apache-2.0
//
// The keys `traffic.program` and `traffic.jobs`: read, written, and made into jobs on hosts.
#pragma once

#include "ebb/config/jobs_spec.hpp"
#include "ebb/core/result.hpp"
#include "ebb/files/document.hpp"
#include "ebb/program/job.hpp"
#include "ebb/program/program.hpp"
#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ebb::config {

// True when the section names jobs; it then holds nothing else.
[[nodiscard]] bool read_jobs(files::Section& traffic, JobsSpec& spec);
// A text of YAML in double quotes, which take any path.
[[nodiscard]] std::string quoted(const std::string& text);
// A kind and its parameters: {name: hotspot, hot: 4}.
[[nodiscard]] std::string to_yaml(const files::Named& named);
// As it stands after `traffic:`.
[[nodiscard]] std::string jobs_yaml(const JobsSpec& spec);

struct MadeJobs {
  std::vector<std::unique_ptr<const program::Program>> programs;
  std::unique_ptr<program::Jobs> jobs;
  std::vector<std::string> repairs;  // that readers made, a line for each
};

// Reads and checks the programs, and gives each rank its host.
[[nodiscard]] Result<MadeJobs> make_jobs(const JobsSpec& spec, const topology::Graph& graph,
                                         std::uint64_t seed);

}  // namespace ebb::config
