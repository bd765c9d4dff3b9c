// SPDX-License-Identifier: Apache-2.0
//
// How a controller switches the power of its switches, as the section `switch_power` of its fabric
// file says: the daemons of a test fabric, outlets over SNMP, components by gNMI.
//
//   const auto power = power_access(file, state, insecure);
//   controller.use_power(power->limits);
//   auto driver = power->make ? power->make(loop) : nullptr;
#pragma once

#include "ebb/controller/switch_state.hpp"
#include "ebb/core/result.hpp"
#include "ebb/drivers/power_driver.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/testbed/manifest.hpp"

#include <string>

namespace ebb::runtime {

struct PowerAccess {
  drivers::PowerOn make = nullptr;  // empty: switches are only drained
  controller::SwitchPower limits;
};

// An error for what this machine, or this ebb, does not have, and for plain protocols to other
// machines unless `insecure`.
[[nodiscard]] Result<PowerAccess> power_access(const fabric_config::FabricFile& file,
                                               const testbed::StateFolder& state, bool insecure);

// The switches of a test fabric. Each order has a thread, because a switch takes a while to start.
[[nodiscard]] drivers::PowerOn testbed_power(std::string fabric, testbed::StateFolder state,
                                             std::uint32_t switches);

}  // namespace ebb::runtime
