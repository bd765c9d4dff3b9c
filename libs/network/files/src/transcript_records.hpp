// SPDX-License-Identifier: Apache-2.0
//
// The values of a transcript from the JSON of one line.
#pragma once

#include "transcript_fields.hpp"

#include "ebb/policy/replay.hpp"

namespace ebb::files {

[[nodiscard]] policy::TranscriptHeader read_header(Fields& line);
[[nodiscard]] policy::RecordedWays read_ways(Fields& line);
[[nodiscard]] policy::RecordedSample read_sample(Fields& line);
[[nodiscard]] policy::RecordedActions read_actions(Fields& line);
[[nodiscard]] policy::Outcome read_outcome(Fields& line);

}  // namespace ebb::files
