// SPDX-License-Identifier: Apache-2.0
//
// What a command line names: a file, or NAME key=value ...
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/units/parameters.hpp"

#include <string>
#include <vector>

namespace ebb::cli {

// One word with a dot or a slash.
[[nodiscard]] bool names_a_file(const std::vector<std::string>& what);

// Of NAME key=value ...; refuses words that are not key=value.
[[nodiscard]] Result<ParameterTexts> parameters_after_name(const std::vector<std::string>& what);

}  // namespace ebb::cli
