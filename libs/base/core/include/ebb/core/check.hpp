// SPDX-License-Identifier: Apache-2.0
//
// EBB_CHECK guards what only a bug in ebb can break. It stays on in release builds. User input
// never reaches it: that is answered with a Result.
#pragma once

#include <string_view>

namespace ebb {

[[noreturn]] void check_failed(std::string_view condition, std::string_view file, int line,
                               std::string_view message);

}  // namespace ebb

#define EBB_CHECK(condition, message)                               \
  do {                                                              \
    if (!(condition)) [[unlikely]]                                  \
      ::ebb::check_failed(#condition, __FILE__, __LINE__, message); \
  } while (false)
