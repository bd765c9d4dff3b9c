// SPDX-License-Identifier: Apache-2.0
//
// What other verbs have of the live half of ebb. The folder fabric defines it; in builds without
// the live half no_fabric does, which has nothing to give.
//
//   ebb sim     runs the controller of a live fabric when it is given a fabric file
//   ebb repro   measures on real switches what only they can show
//   ebb validate flows   says of a fabric file why flows cannot simulate it
#pragma once

#include "ebb/config/simulation.hpp"
#include "ebb/power/library.hpp"
#include "ebb/repro/run_cache.hpp"

namespace ebb::cli {

// Makes the controller of a simulated fabric: reads its safety rules, checks that the policy can
// keep them, and makes tables and facts for it. Errors carry the key that they are about. Empty:
// this build has no controller. The library outlives it.
[[nodiscard]] config::PrepareControl fabric_control(const power::Library& parts);

// Rows of published results that are measured on a test fabric of this machine, by their ids.
// Empty: this build has no test fabrics.
[[nodiscard]] repro::LiveMeasures live_measures();

}  // namespace ebb::cli
