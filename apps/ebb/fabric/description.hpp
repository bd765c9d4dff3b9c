// SPDX-License-Identifier: Apache-2.0
//
// What a controller makes of a fabric file before it speaks to a switch. Errors say the line of the
// section that they come from.
#pragma once

#include "ebb/controller/watts.hpp"
#include "ebb/drivers/live_fabric.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/policy/registry.hpp"

namespace ebb::cli {

// The tables of every switch, with detours.
[[nodiscard]] Result<drivers::Description> describe(const fabric_config::FabricFile& file);
// Ports draw as those of the box, at a slower rate as its setup for that rate does; nothing when
// the file names none. Modules keep their power when ports sleep, unless they sleep too.
[[nodiscard]] Result<controller::PortWatts> port_watts(const fabric_config::FabricFile& file,
                                                       bool modules_sleep = false);
// One that can decide by what live switches tell.
[[nodiscard]] Result<policy::Made> live_policy(const fabric_config::FabricFile& file);

}  // namespace ebb::cli
