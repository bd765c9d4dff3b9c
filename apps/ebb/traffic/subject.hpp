// SPDX-License-Identifier: Apache-2.0
//
// A workload to be looked at: that of a simulation file, or one named on the command line.
#pragma once

#include "ebb/config/simulation.hpp"
#include "ebb/core/result.hpp"
#include "ebb/traffic/workload.hpp"

#include <memory>
#include <string>
#include <vector>

namespace ebb::cli {

struct TrafficOptions {
  std::vector<std::string> what;  // FILE, or NAME key=value ...
  std::vector<std::string> settings;
  std::vector<std::string> part_files;
  std::string hosts;
  std::string rate;
  std::string time = "10ms";
  std::string seed;
  bool json = false;
};

// Owns what the workload refers to.
struct TrafficSubject {
  std::string name;  // with every parameter
  std::uint32_t hosts = 0;
  DataRate host_rate;
  std::uint64_t seed = 1;
  TimePoint until;
  std::unique_ptr<const traffic::Pattern> pattern;
  std::unique_ptr<const traffic::Injection> injection;
  std::unique_ptr<const traffic::Workload> workload;
};

[[nodiscard]] Result<TrafficSubject> load_subject(const TrafficOptions& options);

}  // namespace ebb::cli
