// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a sweep file: refused, or a spec with as many combinations as its lists say, whose
// values read as themselves.
#include "ebb/config/sweep_file.hpp"
#include "ebb/core/check.hpp"
#include "ebb/files/document.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

bool reads_as_itself(const std::string& value) {
  ebb::files::Diagnostics errors("value");
  const auto root = ebb::files::read_yaml("value: " + value, errors);
  if (!root) return false;
  const auto again = ebb::files::Section(*root, errors).find("value");
  return again && again->flow_text() == value;
}

}  // namespace

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
      EBB_CHECK(reads_as_itself(setting.value), "a value reads as itself");
    }
  }
  return 0;
}
