// SPDX-License-Identifier: Apache-2.0
//
// Any records of an OTF2 archive: refused, or a program in which nothing waits for itself.
#include "otf2_bytes.hpp"

#include "ebb/core/check.hpp"
#include "ebb/program/check.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto trace = ebb::trace::read_bytes({data, size});
  if (!trace) return 0;
  for (const ebb::Error& error : check(trace->program, ebb::program::Markers::refuse)) {
    EBB_CHECK(error.message.find("waits for itself") == std::string::npos,
              "the records of a rank are in an order");
  }
  return 0;
}
