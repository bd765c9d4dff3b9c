// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a power model or a data sheet: refused, or boxes that are read back as a part file
// without errors and equal. Numbers of ports are given for the devices of the seeds.
#include "ebb/core/check.hpp"
#include "ebb/files/parts_file.hpp"
#include "ebb/measurements/import.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace ebb;

void import_once(std::string_view input, const measurements::ImportOptions& options) {
  const std::vector<measurements::ImportText> texts = {{"fuzz.yaml", std::string(input)}};
  const auto imported = measurements::import_boxes(texts, options);
  if (!imported) {
    static_cast<void>(to_string(imported.error()));
    return;
  }
  static_cast<void>(to_string(imported->gaps));
  const auto parts = imported->boxes.parts();
  if (parts.empty()) return;
  files::Diagnostics errors("printed.yaml");
  power::Library again;
  files::read_parts_text(measurements::parts_text(imported->boxes), errors, again);
  EBB_CHECK(errors.empty(), "what is printed is a part file");
  EBB_CHECK(std::equal(parts.begin(), parts.end(), again.parts().begin(), again.parts().end()),
            "a box survives its own text");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  import_once(input, {.date = "2025"});
  for (const auto& [device, counts] :
       {std::pair("Birch-8", "6xQSFP28,2xQSFP-DD"), std::pair("Birch-8", "8"),
        std::pair("Cedar", "24"), std::pair("invented-oak-64", "64x400Gb/s")}) {
    measurements::ImportOptions options{.date = "2025-02", .scatter = watts(1)};
    options.ports[device] = *measurements::parse_port_counts(counts);
    import_once(input, options);
  }
  return 0;
}
