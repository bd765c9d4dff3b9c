// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as rows of a mapping.
#include "counters_check.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ebb::fuzz::check_mapping("interface,from,to\n" + std::string(text), "rows");
  return 0;
}
