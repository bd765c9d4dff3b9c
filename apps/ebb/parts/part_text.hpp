// SPDX-License-Identifier: Apache-2.0
//
// A part as people read it: each number with its evidence, then the sources.
#pragma once

#include "ebb/power/library.hpp"

#include <string>

namespace ebb::cli {

[[nodiscard]] std::string part_text(const power::Part& part, const power::Library& library);

// The kinds of evidence behind the numbers of a part: "measured", "published, assumed", ...
[[nodiscard]] std::string evidence_text(const power::Part& part, const power::Library& library);

}  // namespace ebb::cli
