// SPDX-License-Identifier: Apache-2.0
//
// What a controller makes of a fabric file before it speaks to a switch: tables, the power of
// ports, the policy, and who sets the rates of links. Errors say the line of the section that they
// come from.
#pragma once

#include "ebb/controller/controller.hpp"
#include "ebb/controller/watts.hpp"
#include "ebb/drivers/live_fabric.hpp"
#include "ebb/drivers/port_driver.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/runtime/run.hpp"
#include "ebb/testbed/manifest.hpp"

namespace ebb::runtime {

// The tables of every switch, with detours.
[[nodiscard]] Result<drivers::Description> describe(const fabric_config::FabricFile& file);
// Ports draw as those of the box, at a slower rate as its setup for that rate does; nothing when
// the file names none. Modules keep their power when ports sleep, unless they sleep too.
[[nodiscard]] Result<controller::PortWatts> port_watts(const fabric_config::FabricFile& file,
                                                       const LoadParts& load_parts,
                                                       bool modules_sleep = false);
// One that can decide by what live switches tell.
[[nodiscard]] Result<policy::Made> live_policy(const fabric_config::FabricFile& file);

// Sets rates by the token buckets of the test fabric of that file; empty when it is not up.
[[nodiscard]] drivers::RateSetter rates_of(const fabric_config::FabricFile& file,
                                           const testbed::StateFolder& state);
// What active links between switches draw less than at their full rates.
[[nodiscard]] Power saved_by_rates(const topology::Graph& graph,
                                   const controller::Controller& controller,
                                   const controller::PortWatts& port);

}  // namespace ebb::runtime
