// SPDX-License-Identifier: Apache-2.0
//
// Reads the transcripts that policy::Recorder writes, and nothing else: a line that ebb would write
// in another way (other key order, spaces, unknown or repeated keys) is refused, so a transcript
// that was read is equal, byte for byte, to what its values would be written as. Every mistake is
// reported with its line.
//
//   const auto transcript = read_transcript("incident.jsonl");
//   const auto report = policy::replay(*transcript);
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/policy/transcript.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace ebb::files {

inline constexpr std::size_t kMostTranscriptBytes = std::size_t{1} << 28U;
inline constexpr std::size_t kMostTranscriptLineBytes = std::size_t{1} << 26U;

[[nodiscard]] Result<policy::Transcript> read_transcript_text(std::string_view text,
                                                              const std::string& name_for_errors);
[[nodiscard]] Result<policy::Transcript> read_transcript(const std::string& path);

}  // namespace ebb::files
