// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a capture of packets: refused, or a program without mistakes. Every address belongs
// to one of two hosts.
#include "ebb/core/check.hpp"
#include "ebb/program/check.hpp"
#include "ebb/trace/flow_lists.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

namespace {

using namespace ebb;

const std::string& addresses_path() {
  static const std::string path = [] {
    const auto made = std::filesystem::temp_directory_path() / "fuzz_capture.addresses";
    std::ofstream(made) << "0.0.0.0/0 0\n10.0.0.1 1\n::/0 0\n8000::/1 1\n";
    return made.string();
  }();
  return path;
}

const Parameters& capture_defaults() {
  static const Parameters defaults = [] {
    const auto found = std::ranges::find(trace::formats(), "capture", &trace::Format::name);
    return Parameters::resolve(found->parameters, {{"begin", "first"}}).value();
  }();
  return defaults;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto trace = trace::read_capture(bytes, "fuzz", addresses_path(), capture_defaults());
  if (!trace) return 0;
  EBB_CHECK(check(trace->program, program::Markers::refuse).empty(), "a capture is a program");
  return 0;
}
