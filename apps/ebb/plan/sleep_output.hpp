// SPDX-License-Identifier: Apache-2.0
//
// `ebb plan --sleep`: what of the designs that are shown can sleep at low loads, and what that is
// worth in a year.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/plan/design.hpp"
#include "ebb/plan/sleep.hpp"
#include "ebb/power/library.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace ebb::cli {

// By design, then by load.
using PlannedSleep = std::vector<std::vector<plan::SleepPotential>>;

[[nodiscard]] Result<PlannedSleep> planned_sleep(const std::vector<plan::Design>& designs,
                                                 const plan::Inputs& inputs,
                                                 const power::Library& library);

// All designs, and the power groups of the first.
[[nodiscard]] std::string sleep_tables(const PlannedSleep& sleep,
                                       const std::vector<plan::Design>& designs,
                                       const plan::Inputs& inputs);
[[nodiscard]] nlohmann::ordered_json sleep_json(const PlannedSleep& sleep,
                                                const std::vector<plan::Design>& designs,
                                                const plan::Inputs& inputs);

}  // namespace ebb::cli
