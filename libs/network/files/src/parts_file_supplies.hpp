// SPDX-License-Identifier: Apache-2.0
//
// Supplies of a ladder that scales them with the rate.
#pragma once

#include "parts_file_numbers.hpp"

#include "ebb/power/part.hpp"

#include <vector>

namespace ebb::files::parts {

// Supplies of all steps or of none, none below that of a slower step.
void check_step_supplies(const std::vector<Value>& entries,
                         const std::vector<power::LadderStep>& steps, Diagnostics& errors);

// `supply_per_us` and `wake_rate`, once steps and sleep are read.
void read_supply_changes(Section& part, const Numbers& numbers, power::Ladder& ladder);

}  // namespace ebb::files::parts
