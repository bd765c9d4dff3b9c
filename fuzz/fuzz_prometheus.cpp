// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as the answer of a Prometheus server.
#include "counters_check.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.starts_with('{')) ebb::fuzz::check_counters(text, "answer");
  return 0;
}
