// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace ebb {

// Where a program is, by the folders of $PATH in their order; nothing when it is in none of them.
[[nodiscard]] std::optional<std::string> program_path(const std::string& name);

}  // namespace ebb
