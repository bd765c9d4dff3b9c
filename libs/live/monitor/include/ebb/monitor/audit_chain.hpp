// SPDX-License-Identifier: Apache-2.0
//
// A chain of lines of JSON: each carries the SHA-256 of the line before it, as the last value of
// its object, so that a line cannot be changed, removed or inserted without all lines after it.
// Whoever can write to the file can make all of them anew: the hash of the last line, kept
// elsewhere, shows that.
//
//   {"event":"began"}      ->  {"event":"began","previous":"0000..."}
//   {"event":"ended"}      ->  {"event":"ended","previous":"5f2b..."}
#pragma once

#include "ebb/core/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::monitor {

// Before the first line: 64 zeros.
[[nodiscard]] std::string beginning_of_chain();
// Of a line without its line end, in hexadecimal digits.
[[nodiscard]] std::string hash_of(std::string_view line);
// An object of JSON with the hash of the line before it.
[[nodiscard]] std::string chained(std::string_view object, std::string_view previous);
// The hash that the next line of a file carries: that of its last line, or of the last line of
// FILE.1 when the file is empty or not there.
[[nodiscard]] std::string head_of(const std::string& path);

struct ChainCheck {
  std::uint64_t lines = 0;
  std::uint64_t unchained = 0;        // at the beginning, by a version without a chain
  bool from_the_beginning = false;    // no line was moved away with an older file
  bool found_noted = false;           // the hash that the caller has noted is that of a line
  std::string head;                   // hash of the last line
  std::vector<std::string> problems;  // "audit.jsonl:7: ..."; empty: the chain is whole
};

// Of FILE.1, if there is one, and FILE. `noted` is a head that was noted earlier, or empty.
[[nodiscard]] Result<ChainCheck> check_chain(const std::string& path, const std::string& noted);

}  // namespace ebb::monitor
