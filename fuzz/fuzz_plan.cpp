// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a plan file: refused, or a plan whose designs are shapes that ebb knows.
#include "ebb/config/plan_file.hpp"
#include "ebb/core/check.hpp"
#include "ebb/files/parts_file.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

// Two parts are enough to tell known names from unknown ones.
ebb::power::Library small_library() {
  ebb::power::Library library;
  ebb::files::Diagnostics errors("library");
  ebb::files::read_parts_text(
      "schema_version: 1\n"
      "sources: {s: {title: t, date: 2010, evidence: published}}\n"
      "parts:\n"
      "  chip: {kind: chip, summary: c, source: s, ports: 36, port_rate: 40Gb/s, power: 100W, "
      "link_share: 1}\n"
      "  nic: {kind: nic, summary: n, source: s, rate: 40Gb/s, power: 10W}\n",
      errors, library);
  EBB_CHECK(errors.empty(), "the library of the fuzzer is sound");
  return library;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ebb::power::Library library = small_library();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto plan = ebb::config::read_plan_text(text, "fuzz", library);
  if (!plan) return 0;
  for (const auto& design : plan->designs) {
    EBB_CHECK(ebb::topology::properties(design.family, design.parameters),
              "a design that was read has a shape");
  }
  return 0;
}
