// SPDX-License-Identifier: Apache-2.0
//
// Where the program of the switches' agents is.
#pragma once

#include "ebb/core/result.hpp"

#include <string>

namespace ebb::cli {

// Beside this program, where both were built, or on the path.
[[nodiscard]] Result<std::string> agent_program();

}  // namespace ebb::cli
