// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a simulation file, what follows a line `--set` as an override: refused, or a spec
// whose resolved text reads as the same spec.
#include "ebb/config/sim_file.hpp"
#include "ebb/core/check.hpp"
#include "ebb/files/parts_file.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

// A chip with its rate table, another rate table, and a part that is no switch.
ebb::power::Library small_library() {
  ebb::power::Library library;
  ebb::files::Diagnostics errors("library");
  ebb::files::read_parts_text(
      "schema_version: 1\n"
      "sources: {s: {title: t, date: 2010, evidence: published}}\n"
      "parts:\n"
      "  chip: {kind: chip, summary: c, source: s, ports: 36, port_rate: 40Gb/s, power: 100W, "
      "link_share: 1, rate_table: steps}\n"
      "  steps: {kind: rate_table, summary: l, source: s, rate_change: 1us, steps: [{rate: 10Gb/s, "
      "relative_power: 0.25}, {rate: 40Gb/s, relative_power: 1}]}\n"
      "  flat: {kind: rate_table, summary: l, source: s, steps: [{rate: 40Gb/s, relative_power: "
      "1}]}\n"
      "  nic: {kind: nic, summary: n, source: s, rate: 40Gb/s, power: 10W}\n",
      errors, library);
  EBB_CHECK(errors.empty(), "the library of the fuzzer is sound");
  return library;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ebb::power::Library library = small_library();
  constexpr std::string_view kSeparator = "\n--set ";
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t mark = input.find(kSeparator);
  std::vector<std::string> settings;
  if (mark != std::string_view::npos) settings.emplace_back(input.substr(mark + kSeparator.size()));
  const auto file = ebb::config::read_sim_text(input.substr(0, mark), "fuzz", library, settings);
  if (!file) return 0;
  const auto again =
      ebb::config::read_sim_text(ebb::config::resolved_text(file->spec), "resolved", library);
  EBB_CHECK(again && again->spec == file->spec, "a resolved text reads as its spec");
  return 0;
}
