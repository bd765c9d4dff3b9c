// SPDX-License-Identifier: Apache-2.0
//
// The tables behind the plots, and the experiments that their rows are about.
#pragma once

#include "json.hpp"

#include "ebb/figures/run_set.hpp"

namespace ebb::report {

// Runs that differ only in their seed, by series and load.
[[nodiscard]] Json experiments_json(const figures::RunSet& runs);

// Every figure of a results file by its name.
[[nodiscard]] Json figures_json(const figures::RunSet& runs);

}  // namespace ebb::report
