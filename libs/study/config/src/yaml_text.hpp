// SPDX-License-Identifier: Apache-2.0
//
// Texts as values of YAML.
#pragma once

#include <string>

namespace ebb::config {

// In double quotes, which take any text.
[[nodiscard]] std::string quoted(const std::string& text);

}  // namespace ebb::config
