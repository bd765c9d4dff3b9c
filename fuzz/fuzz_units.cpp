// SPDX-License-Identifier: Apache-2.0
//
// Any text as every kind of quantity: refused, or printed such that it is read back as the same.
#include "ebb/core/check.hpp"
#include "ebb/units/text.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

template <class T>
void check_round_trip(std::string_view text) {
  const auto value = ebb::parse<T>(text);
  if (!value) return;
  const auto again = ebb::parse<T>(ebb::to_text(*value));
  EBB_CHECK(again && *again == *value, "a quantity must survive its own text");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_round_trip<ebb::Duration>(text);
  check_round_trip<ebb::DataSize>(text);
  check_round_trip<ebb::DataRate>(text);
  check_round_trip<ebb::Power>(text);
  check_round_trip<ebb::Energy>(text);
  check_round_trip<ebb::Money>(text);
  check_round_trip<ebb::EnergyPrice>(text);
  check_round_trip<ebb::Length>(text);
  check_round_trip<ebb::Voltage>(text);
  check_round_trip<ebb::Ratio>(text);
  return 0;
}
