// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as the loads of a day: refused, or steps that follow each other without a gap and whose
// times are read as they are written.
#include "ebb/config/day_spec.hpp"
#include "ebb/core/check.hpp"
#include "ebb/traffic/injection.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ebb;
  static const Parameter load = traffic::find_injection_kind("poisson").value()->parameters.front();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto steps = config::read_day_text(text, "fuzz", load);
  if (!steps) {
    EBB_CHECK(!steps.error().empty(), "what is refused has an error");
    return 0;
  }
  EBB_CHECK(steps->size() >= 2 && steps->front().at == Duration{}, "a day begins at 00:00");
  Duration at{};
  for (const config::DayStep& step : *steps) {
    EBB_CHECK(step.at == at && step.length > Duration{}, "steps follow each other");
    EBB_CHECK(config::parse_clock(config::clock_text(at)) == at, "a time must survive its text");
    EBB_CHECK(step.load > Ratio() && step.load <= Ratio(1, 1), "a load is within its limits");
    at += step.length;
  }
  return 0;
}
