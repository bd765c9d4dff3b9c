// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a sweep file: refused, or a spec whose combinations are as many as its lists say,
// with values that are YAML again.
#include "ebb/config/leaves.hpp"
#include "ebb/config/sweep_file.hpp"
#include "ebb/core/check.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto spec = ebb::config::read_sweep_text(input, "fuzz.yaml");
  if (!spec) return 0;
  std::size_t expected = spec->runs.size();
  for (const auto& axis : spec->vary) expected *= axis.size();
  if (expected > 1000) return 0;  // slow, and no different
  const auto all = ebb::config::combinations(*spec);
  EBB_CHECK(all.size() == expected, "every combination once");
  for (const auto& settings : all) {
    for (const auto& setting : settings) {
      EBB_CHECK(ebb::config::leaves("value: " + setting.value).has_value(),
                "a value is YAML again");
    }
  }
  return 0;
}
