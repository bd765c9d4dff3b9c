// SPDX-License-Identifier: Apache-2.0
//
// The controller of live fabrics for simulations of fabric files: in live_half, or nothing in
// no_live_half, of builds without it.
#pragma once

#include "ebb/config/simulation.hpp"
#include "ebb/power/library.hpp"

namespace ebb::cli {

// The library outlives it. Empty: this build has no controller.
[[nodiscard]] config::PrepareControl fabric_control(const power::Library& parts);

}  // namespace ebb::cli
