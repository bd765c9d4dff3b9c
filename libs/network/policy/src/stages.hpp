// SPDX-License-Identifier: Apache-2.0
//
// Dynamic topology: the channels of the higher tiers (routing.hpp) sleep until the rest of the
// network is busy. Section 5.2 of "Energy Proportional Datacenter Networks": a flattened butterfly
// becomes a mesh or a torus, and "additional links ... are dynamically powered on as traffic
// intensity (offered load) increases". The whole network is in one stage, as in "SLaC: Stage Laser
// Control for a Flattened Butterfly Network" (HPCA 2016): in stage s tiers 0 to s are up.
//
//   mean utilisation of channels between switches that are up > high   the last stage, at once
//                                                             < low    a stage lower
//
// A packet that has no other way wakes a sleeping channel, which goes back to sleep with the next
// decision.
#pragma once

#include "ebb/policy/registry.hpp"

namespace ebb::policy::stages {

[[nodiscard]] Entry entry();

}  // namespace ebb::policy::stages
