// SPDX-License-Identifier: Apache-2.0
//
// Where parts/ and repro/ are: $EBB_DATA if set, else beside the program (../share/ebb), else the
// install prefix, else the source tree this program was built from.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/power/library.hpp"

#include <string>
#include <vector>

namespace ebb::cli {

[[nodiscard]] std::string data_folder();

// The shipped parts, and the user's own files after them.
[[nodiscard]] Result<power::Library> load_parts(const std::vector<std::string>& more_files);

}  // namespace ebb::cli
