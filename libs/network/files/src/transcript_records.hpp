// SPDX-License-Identifier: Apache-2.0
//
// The values of a transcript from the JSON of one line.
#pragma once

#include "transcript_fields.hpp"

#include "ebb/policy/transcript.hpp"

namespace ebb::files {

[[nodiscard]] policy::TranscriptHeader read_header(Fields& line);
[[nodiscard]] policy::RecordedNextHops read_next_hops(Fields& line);
[[nodiscard]] policy::RecordedSample read_sample(Fields& line);
[[nodiscard]] policy::RecordedActions read_actions(Fields& line);
[[nodiscard]] policy::Outcome read_outcome(Fields& line);

}  // namespace ebb::files
