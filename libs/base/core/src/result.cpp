// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/result.hpp"

#include "ebb/core/check.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

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

void check_failed(std::string_view condition, std::string_view file, int line,
                  std::string_view message) {
  fmt::print(stderr,
             "ebb: internal error: {} ({}) at {}:{}\nThis is a bug in ebb; please report it.\n",
             message, condition, file, line);
  std::abort();
}

}  // namespace ebb
