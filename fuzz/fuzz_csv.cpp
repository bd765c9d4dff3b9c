// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a CSV file: refused, or a table that is read back from its own text.
#include "ebb/core/check.hpp"
#include "ebb/plots/figure.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto table = ebb::plots::read_csv(input, "fuzz.csv");
  if (!table) return 0;
  const std::string text = to_csv(*table);
  const auto again = ebb::plots::read_csv(text, "fuzz.csv");
  EBB_CHECK(again && to_csv(*again) == text, "a table survives its own text");
  const auto& name = table->columns.front().name;
  static_cast<void>(column_figure(*table, {name, {name}, true, true}));
  return 0;
}
