// SPDX-License-Identifier: Apache-2.0
//
// The tables behind the plots, and the experiments that their rows are about.
#pragma once

#include "json.hpp"

#include "ebb/plots/run_set.hpp"
#include "ebb/results/run.hpp"

#include <vector>

namespace ebb::report {

// Runs that differ only in their seed, by series and load; `runs` are those of the document.
[[nodiscard]] Json experiments_json(const plots::RunSet& set,
                                    const std::vector<results::Run>& runs);

// Every figure of a results file by its name.
[[nodiscard]] Json figures_json(const plots::RunSet& runs);

}  // namespace ebb::report
