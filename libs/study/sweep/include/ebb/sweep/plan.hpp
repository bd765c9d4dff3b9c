// SPDX-License-Identifier: Apache-2.0
//
// A sweep with every run resolved and checked, before the first one begins.
//
//   const auto planned = plan(*config::read_sweep("sweep.yaml"), library);
//   for (const std::size_t which : *to_do(*planned, store, false)) ...
#pragma once

#include "ebb/config/sweep_file.hpp"
#include "ebb/core/result.hpp"
#include "ebb/power/library.hpp"
#include "ebb/results/run.hpp"
#include "ebb/results/store.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace ebb::sweep {

struct PlannedRun {
  std::vector<std::string> settings;  // for the simulation file, seed included
  results::Run run;                   // everything but the outcome
};

struct Plan {
  std::string base;       // path of the simulation file
  std::string base_text;  // as it was when it was planned
  std::vector<PlannedRun> runs;
  std::size_t repeated = 0;  // combinations that are the same run as one before, and left out
};

// All mistakes of all runs, at the value of the sweep file that makes them where there is one.
[[nodiscard]] Result<Plan> plan(const config::SweepSpec& spec, const power::Library& library);

// The runs that the store does not have, by place in the plan; with `again` also those that failed.
[[nodiscard]] Result<std::vector<std::size_t>> to_do(const Plan& plan, const results::Store& store,
                                                     bool again);

// What a run of the plan gave.
struct Finished {
  std::size_t which = 0;  // place in the plan
  results::Record record;
  double wall_seconds = 0;
};

// Simulates it on the calling thread. Whatever goes wrong becomes a failed run.
[[nodiscard]] Finished perform(const Plan& plan, std::size_t which, const power::Library& library);

}  // namespace ebb::sweep
