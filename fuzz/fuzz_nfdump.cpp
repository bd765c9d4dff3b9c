// SPDX-License-Identifier: Apache-2.0
//
// Any bytes after the names of the columns that nfdump prints.
#include "counters_check.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ebb::fuzz::check_counters("ts,te,ra,in,out,ibyt,obyt\n" + std::string(text), "flows");
  return 0;
}
