// SPDX-License-Identifier: Apache-2.0
//
// Any text as a workload of SimAI: refused with its lines, or on a few GPUs a program without
// mistakes.
#include "ebb/core/check.hpp"
#include "ebb/program/check.hpp"
#include "ebb/trace/simai.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ebb;
  static const Parameters small = [] {
    const auto found = std::ranges::find(trace::formats(), "simai", &trace::Format::name);
    return Parameters::resolve(found->parameters, {{"gpus", "16"}, {"layers", "20"}}).value();
  }();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto trace = trace::read_simai(text, "fuzz", small);
  if (!trace) {
    EBB_CHECK(!trace.error().empty() && trace.error().size() <= program::kMostErrors,
              "what is refused has a reason");
    return 0;
  }
  EBB_CHECK(check(trace->program, program::Markers::refuse).empty(), "a workload is a program");
  return 0;
}
