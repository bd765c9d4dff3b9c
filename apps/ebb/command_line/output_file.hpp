// SPDX-License-Identifier: Apache-2.0
//
// A file that a command writes whole.
#pragma once

#include "command_line/exit_code.hpp"

#include <string>
#include <string_view>

namespace ebb::cli {

// Says on standard error when the file cannot be written.
[[nodiscard]] ExitCode write_file(const std::string& path, std::string_view bytes);

}  // namespace ebb::cli
