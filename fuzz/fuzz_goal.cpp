// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a GOAL file, text or binary: refused, or read, written as text and read again as an
// equal program, which can be checked and timed.
#include "ebb/core/check.hpp"
#include "ebb/loggops/loggops.hpp"
#include "ebb/program/check.hpp"
#include "ebb/program/goal.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <sstream>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ebb;
  constexpr std::uint32_t kMostRanks = 1000;  // more are only read
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto program = program::is_goal_binary(bytes)
                           ? program::read_goal_binary(bytes, nullptr, "fuzz")
                           : program::read_goal_text(text, "fuzz");
  if (!program || program->ranks() > kMostRanks) return 0;
  std::ostringstream written;
  program::write_goal_text(*program, written);
  const auto again = program::read_goal_text(written.str(), "written");
  EBB_CHECK(again && summarize(*again) == summarize(*program), "a program must survive its text");
  const auto same = program::read_goal_binary(again->bytes(), nullptr, "again");
  EBB_CHECK(same && std::ranges::equal(same->bytes(), again->bytes()), "and its binary form");
  if (check(*program, program::Markers::accept).empty())
    static_cast<void>(loggops::run(*program, {}));
  return 0;
}
