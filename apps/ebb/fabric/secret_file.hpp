// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ebb/core/result.hpp"

#include <string>

namespace ebb::cli {

// The first line. A file that everyone may read is refused: it is no secret.
[[nodiscard]] Result<std::string> read_secret(const std::string& path);

}  // namespace ebb::cli
