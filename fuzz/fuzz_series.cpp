// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as series that a part is fitted to: refused, or fitted. Up to a line of three dashes
// they are the power of a box, after it the counters of its ports; the whole is samples of a power
// supply, whose part is read back as it was printed.
#include "ebb/core/check.hpp"
#include "ebb/files/parts_file.hpp"
#include "ebb/measurements/fit.hpp"
#include "ebb/measurements/import.hpp"
#include "ebb/measurements/series.hpp"
#include "ebb/measurements/supply_fit.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace ebb;

void fit_box_once(std::string_view input) {
  constexpr std::string_view kBetween = "\n---\n";
  const std::size_t end = input.find(kBetween);
  if (end == std::string_view::npos) return;
  const auto series = measurements::read_series({"power.csv", input.substr(0, end + 1)},
                                                {"ports.csv", input.substr(end + kBetween.size())});
  if (!series) {
    static_cast<void>(to_string(series.error()));
    return;
  }
  const auto fit = fit_box(*series);
  if (!fit) return;
  static_cast<void>(library_of(*fit, {.name = "box", .ports = 4}));
}

void fit_supply_once(std::string_view input) {
  const auto series = measurements::read_supply({"supply.csv", input}, watts(600));
  if (!series) {
    static_cast<void>(to_string(series.error()));
    return;
  }
  const auto fit = fit_supply(*series, {0.1, 0.2, 0.5});
  if (!fit) return;
  const auto library = library_of(
      *fit, "supply",
      {.id = "supply", .title = "s", .date = "2026", .evidence = power::Evidence::measured});
  if (!library) return;
  files::Diagnostics errors("printed.yaml");
  power::Library again;
  files::read_parts_text(measurements::parts_text(*library), errors, again);
  EBB_CHECK(errors.empty(), "what is printed is a part file");
  EBB_CHECK(again.parts()[0] == library->parts()[0], "a supply survives its own text");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  fit_box_once(input);
  fit_supply_once(input);
  return 0;
}
