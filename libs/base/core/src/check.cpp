// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/check.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

namespace ebb {

void check_failed(std::string_view condition, std::string_view file, int line,
                  std::string_view message) {
  fmt::print(stderr,
             "ebb: internal error: {} ({}) at {}:{}\nThis is a bug in ebb; please report it.\n",
             message, condition, file, line);
  std::abort();
}

}  // namespace ebb
