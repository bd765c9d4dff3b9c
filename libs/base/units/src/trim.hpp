// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ebb {

inline std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace ebb
