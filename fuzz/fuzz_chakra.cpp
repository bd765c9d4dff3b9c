// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as the Chakra file of a rank, which stands for one, two or four ranks, and after a line
// of three dashes as a JSON of groups: refused, or read as a program, which is written as Chakra
// files and read again as an equal one.
#include "ebb/core/check.hpp"
#include "ebb/program/check.hpp"
#include "ebb/trace/chakra.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ebb;
  static const auto* format = &*std::ranges::find(trace::formats(), "chakra", &trace::Format::name);
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  constexpr std::string_view kBetween = "\n---\n";
  const auto between = all.find(kBetween);
  const trace::ChakraFile rank{"fuzz.0.et", all.substr(0, between)};
  const trace::ChakraFile groups{
      "fuzz.json", between == std::string_view::npos ? "" : all.substr(between + kBetween.size())};
  for (const char* ranks : {"1", "2", "4"}) {
    const auto parameters = Parameters::resolve(format->parameters, {{"ranks", ranks}}).value();
    const auto trace = trace::read_chakra({&rank, 1}, groups, parameters);
    if (!trace) continue;
    static_cast<void>(check(trace->program, program::Markers::accept));
    const auto losses = trace::chakra_losses(trace->program);
    if (!losses) continue;
    std::vector<std::string> written;
    std::vector<trace::ChakraFile> files;
    for (std::uint32_t one = 0; one < trace->program.ranks(); ++one)
      written.push_back(trace::chakra_file(trace->program, one));
    for (const std::string& bytes : written) files.push_back({"written", bytes});
    const auto again =
        trace::read_chakra(files, {}, Parameters::resolve(format->parameters, {}).value());
    EBB_CHECK(again.has_value(), "what was written must be read");
    EBB_CHECK(
        !losses->empty() || std::ranges::equal(again->program.bytes(), trace->program.bytes()),
        "a program must survive its files");
  }
  return 0;
}
