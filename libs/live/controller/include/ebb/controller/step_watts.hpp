// SPDX-License-Identifier: Apache-2.0
//
// What a port draws at each rate of a ladder. A box that was measured at several rates has a setup
// for each; rates of a fabric may be scaled (100 Mb/s for 100 Gb/s), so a setup stands for the step
// that is the same share of the full rate. A step without a setup draws what the full rate does:
// then only sleep saves.
#pragma once

#include "ebb/power/part.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/energy.hpp"

#include <span>
#include <vector>

namespace ebb::controller {

// Port enabled, module plugged, link up.
[[nodiscard]] Power awake_watts(const power::PortSetup& setup);

// By step, slowest first. `full` is the setup of the full rate, and of the box.
[[nodiscard]] std::vector<Power> step_watts(const power::Box& box, const power::PortSetup& full,
                                            std::span<const DataRate> ladder);

}  // namespace ebb::controller
