// SPDX-License-Identifier: Apache-2.0
//
// Watts of a whole network from its parts: switches, modules and host interfaces.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/plan/inputs.hpp"
#include "ebb/plan/parts_count.hpp"
#include "ebb/power/library.hpp"
#include "ebb/units/energy.hpp"

namespace ebb::plan {

struct Watts {
  Power idle;     // every link up at full rate, no traffic
  Power at_load;  // every link up at full rate, the planned load
  Power peak;     // every link at full rate, full load
  Power slowest;  // every link at its lowest rate; = idle for parts with no lower rate
  Power ideal;    // what a perfectly proportional network would draw: peak x load

  bool operator==(const Watts&) const = default;
};

// What a part must bring to serve as the switch of a plan.
struct SwitchOffer {
  std::int64_t ports = 0;
  bool is_chip = false;
};

// Refuses a part that is no switch or whose ports are slower than the plan's rate.
[[nodiscard]] Result<SwitchOffer> switch_offer(const Inputs& inputs, const power::Library& library);

[[nodiscard]] Result<Watts> network_power(const PartsCount& count, const Inputs& inputs,
                                          const power::Library& library);

}  // namespace ebb::plan
