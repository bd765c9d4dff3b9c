// SPDX-License-Identifier: Apache-2.0
//
// The user's own text inside a message: cut when long, so that garbage does not fill the screen.
#pragma once

#include <string>
#include <string_view>

namespace ebb::files {

[[nodiscard]] inline std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 40;
  return text.size() <= kMost ? std::string(text) : std::string(text.substr(0, kMost)) + "...";
}

}  // namespace ebb::files
