// SPDX-License-Identifier: Apache-2.0
//
// From a run that was simulated to what is stored of it.
#pragma once

#include "ebb/config/simulation.hpp"
#include "ebb/netsim/report.hpp"
#include "ebb/results/run.hpp"

#include <string>
#include <vector>

namespace ebb::results {

// What a configuration does not say.
struct Origin {
  std::string label;
  std::vector<Parameter> parameters;
};

// Of this version of ebb. A stalled run is a failed one.
[[nodiscard]] Record record_of(const config::Simulation& simulation, const netsim::Report& report,
                               const Origin& origin);

// A run that ended with an error instead of a report.
[[nodiscard]] Record failed_record(const config::Simulation& simulation, const Origin& origin,
                                   std::string error);

}  // namespace ebb::results
