// SPDX-License-Identifier: Apache-2.0
//
// Any bytes after the first line of a walk of IF-MIB.
#include "counters_check.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ebb::fuzz::check_counters("# 300 s0\n" + std::string(text), "walks");
  return 0;
}
