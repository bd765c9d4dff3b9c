// SPDX-License-Identifier: Apache-2.0
//
// The order in which runs are shown: by label, by parameters with their numbers read as numbers
// (5% before 15%), by seed.
#pragma once

#include "ebb/results/run.hpp"

#include <string_view>

namespace ebb::results {

// Digits compare by the number they form, everything else character by character.
[[nodiscard]] bool natural_less(std::string_view a, std::string_view b);

[[nodiscard]] bool shown_before(const Run& a, const Run& b);

}  // namespace ebb::results
