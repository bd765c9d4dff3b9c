// SPDX-License-Identifier: Apache-2.0
//
// Settings `a.b=value` as parameters of a run.
#pragma once

#include "ebb/results/run.hpp"

#include <span>
#include <string>
#include <vector>

namespace ebb::results {

// In their order; of a key that is set twice the last one counts. The seed is left out.
[[nodiscard]] std::vector<Parameter> parameters_of(std::span<const std::string> settings);

}  // namespace ebb::results
