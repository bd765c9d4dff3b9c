// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a CSV file of counters, whose name has a time.
#include "counters_check.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ebb::fuzz::check_counters(text, "s0/link-1704067200.csv");
  return 0;
}
