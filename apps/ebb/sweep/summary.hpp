// SPDX-License-Identifier: Apache-2.0
//
// What a sweep found: a line per setup with means and confidence intervals over its seeds, then the
// runs that failed.
#pragma once

#include "ebb/results/run.hpp"

#include <string>
#include <vector>

namespace ebb::cli {

[[nodiscard]] std::string sweep_summary(const std::vector<results::Run>& runs);

}  // namespace ebb::cli
