// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a time-independent trace of SimGrid, in one text and in one for each rank: refused,
// or read as a program, which can be checked and timed.
#include "ebb/core/check.hpp"
#include "ebb/loggops/loggops.hpp"
#include "ebb/program/check.hpp"
#include "ebb/program/goal.hpp"
#include "ebb/trace/simgrid.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ebb;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  static const auto parameters = Parameters::resolve(trace::simgrid_parameters(), {}).value();
  std::vector<trace::NamedText> texts;
  while (!text.empty()) {  // those of ranks have zeros between them
    const auto end = std::min(text.find('\0'), text.size());
    texts.push_back({"fuzz", text.substr(0, end)});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (texts.empty()) texts.push_back({"fuzz", ""});
  const auto trace = trace::read_simgrid(texts, texts.size() > 1, "fuzz", parameters);
  if (!trace) return 0;
  const auto same = program::read_goal_binary(trace->program.bytes(), nullptr, "again");
  EBB_CHECK(same.has_value(), "a trace must make a program that can be read");
  if (check(trace->program, program::Markers::refuse).empty())
    static_cast<void>(loggops::run(trace->program, {}));
  return 0;
}
