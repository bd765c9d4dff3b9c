// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a transcript: refused, or answered by the policy that it names, and its lines are
// those that ebb writes.
#include "ebb/core/check.hpp"
#include "ebb/files/transcript_file.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto transcript = ebb::files::read_transcript_text(text, "fuzz");
  if (!transcript) return 0;
  EBB_CHECK(text.starts_with(ebb::policy::to_line(transcript->header) + "\n"),
            "a header that was read is written as it was");
  const auto report = ebb::policy::replay(*transcript);
  EBB_CHECK(!report || report->equal() || report->difference->line > 0, "a difference has a line");
  return 0;
}
