// SPDX-License-Identifier: Apache-2.0
#include "command_line/exit_code.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace ebb::cli {

ExitCode refuse(const Errors& errors) {
  fmt::print(stderr, "{}", to_string(errors));
  return ExitCode::bad_input;
}

ExitCode failed_outside(const Errors& errors) {
  fmt::print(stderr, "{}", to_string(errors));
  return ExitCode::outside;
}

}  // namespace ebb::cli
