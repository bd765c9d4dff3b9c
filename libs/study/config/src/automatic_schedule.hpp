// SPDX-License-Identifier: Apache-2.0
//
// The schedule of a simulation whose file leaves it, or parts of it, to its messages: a run must be
// long enough to hold them (netsim::least_measure). It does not depend on the seed, so that the
// runs of a sweep that differ in it alone stay runs of one experiment.
//
//   spec.schedule = automatic_schedule(spec, *workload, host_rate);
//
// A workload that does not know its sizes beforehand is asked for its first messages, with seed 1.
#pragma once

#include "ebb/config/sim_file.hpp"
#include "ebb/netsim/experiment.hpp"
#include "ebb/traffic/workload.hpp"
#include "ebb/units/data.hpp"

#include <chrono>

namespace ebb::config {

// What no file asks for is not longer than this; the report of a run that needs more says so.
inline constexpr Duration kLongestAutomatic = std::chrono::milliseconds(100);

// With every time that the file does not give. Messages that need no more than the defaults of
// netsim::Schedule get those.
[[nodiscard]] netsim::Schedule automatic_schedule(const SimSpec& spec,
                                                  const traffic::Workload& workload,
                                                  DataRate host_rate);

}  // namespace ebb::config
