// SPDX-License-Identifier: Apache-2.0
//
// Any text as each list of flows: refused with its lines, or a program without mistakes.
#include "ebb/core/check.hpp"
#include "ebb/program/check.hpp"
#include "ebb/trace/flow_lists.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace ebb;

const Parameters& defaults_of(std::string_view format) {
  static const auto resolve = [](std::string_view name) {
    const auto found = std::ranges::find(trace::formats(), name, &trace::Format::name);
    return Parameters::resolve(found->parameters, {{"begin", "first"}}).value();
  };
  static const Parameters htsim = resolve("htsim");
  static const Parameters hpcc = resolve("hpcc");
  static const Parameters csv = resolve("flows-csv");
  return format == "htsim" ? htsim : format == "hpcc" ? hpcc : csv;
}

// Connections of htsim may wait for each other in a circle, which the check reports.
void look_at(const Result<trace::Trace>& trace, bool may_wait_in_circles) {
  if (!trace) {
    EBB_CHECK(!trace.error().empty() && trace.error().size() <= program::kMostErrors,
              "what is refused has a reason");
    return;
  }
  if (trace->program.ranks() > 10'000) return;
  const Errors errors = check(trace->program, program::Markers::refuse);
  EBB_CHECK(errors.empty() || may_wait_in_circles, "a list of flows is a right program");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  look_at(trace::read_htsim(text, "fuzz", defaults_of("htsim")), true);
  look_at(trace::read_hpcc(text, "fuzz", defaults_of("hpcc")), false);
  look_at(trace::read_flow_csv(text, "fuzz", "", defaults_of("flows-csv")), false);
  return 0;
}
