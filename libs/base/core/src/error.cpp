// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/error.hpp"

#include <fmt/format.h>

namespace ebb {

std::string to_string(const Error& error) {
  std::string text;
  if (!error.where.file.empty()) {
    text += error.where.file;
    if (error.where.line > 0) text += fmt::format(":{}", error.where.line);
    if (error.where.line > 0 && error.where.column > 0)
      text += fmt::format(":{}", error.where.column);
    text += ": ";
  }
  text += "error: " + error.message;
  if (!error.where.path.empty()) text += fmt::format(" (at {})", error.where.path);
  return text;
}

std::string to_string(const Errors& errors) {
  std::string text;
  for (const Error& error : errors) text += to_string(error) + "\n";
  return text;
}

}  // namespace ebb
