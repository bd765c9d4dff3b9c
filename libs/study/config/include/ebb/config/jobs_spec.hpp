// SPDX-License-Identifier: Apache-2.0
//
// Jobs as a simulation file names them (docs/programs.md):
//
//   traffic: {program: allreduce.goal, hosts: random}
//   traffic: {program: {name: nas-ft, class: A, ranks: 64}}
//
//   traffic:
//     jobs:
//       - {name: train, program: train.0.et}
//       - {name: solve, program: solver.goal, hosts: by-rack, start: 2ms}
//     rendezvous_above: 64KiB
#pragma once

#include "ebb/files/sections.hpp"
#include "ebb/program/job.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/parameters.hpp"
#include "ebb/units/time.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ebb::config {

struct JobSpec {
  std::string name;
  std::string program;        // a trace of any format that ebb reads; empty: an application
  files::Named application;   // that makes the program, with its parameters; or without a name
  std::string format;         // empty: the file tells
  ParameterTexts parameters;  // of the format
  std::string addresses;      // a table of addresses and their ranks, for captures; or empty
  // linear, random, by-rack, or a file with a host in each line.
  std::string hosts = "linear";
  Duration start{};

  bool operator==(const JobSpec&) const = default;
};

// Not by a file.
[[nodiscard]] inline bool places_by_rule(const JobSpec& job) {
  return job.hosts == "linear" || job.hosts == "random" || job.hosts == "by-rack";
}

// What the host of a rank draws, its accelerators included: more while it computes.
struct HostPower {
  Power idle{};
  Power busy{};

  bool operator==(const HostPower&) const = default;
};

struct JobsSpec {
  std::vector<JobSpec> jobs;  // empty: the hosts have a workload
  program::HostCosts costs;
  bool markers = false;   // sends of 0 bytes to ranks that do not exist are accepted
  bool reference = true;  // the jobs also run with always-on links, to tell their slowdown
  std::optional<HostPower> host_power = {};

  bool operator==(const JobsSpec&) const = default;
};

}  // namespace ebb::config
