// SPDX-License-Identifier: Apache-2.0
//
// A run as a summary for people and as JSON (units in the names, the same bytes for the same run).
#pragma once

#include "sim_result.hpp"

#include <string>

namespace ebb::cli {

[[nodiscard]] std::string sim_text(const SimResult& result);
[[nodiscard]] std::string sim_json(const SimResult& result);

}  // namespace ebb::cli
