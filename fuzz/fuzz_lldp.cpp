// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as the table of a device: what lldpcli prints, or a walk of LLDP-MIB.
#include "counters_check.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.starts_with('{')) {
    ebb::fuzz::check_mapping(text, "s0.json");
  } else {
    ebb::fuzz::check_mapping("# 300 s0\n" + std::string(text), "walks");
  }
  return 0;
}
