// SPDX-License-Identifier: Apache-2.0
//
// All that is known of a run, for the list of runs.
#pragma once

#include "json.hpp"

#include "ebb/results/run.hpp"

namespace ebb::report {

// Without the id, which depends on the order in which runs ended: the key names a run.
[[nodiscard]] Json run_json(const results::Run& run);

}  // namespace ebb::report
