// SPDX-License-Identifier: Apache-2.0
//
// Where the watts of a network go, at the planned load. The parts add up to Watts::at_load.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/plan/inputs.hpp"
#include "ebb/plan/parts_count.hpp"
#include "ebb/power/library.hpp"
#include "ebb/units/energy.hpp"

namespace ebb::plan {

struct Breakdown {
  Power base;     // switches without ports: processor, fans, logic, the core of a chip
  Power ports;    // switch ports with their links up
  Power traffic;  // what boxes add for bits and packets: buffers, mostly
  Power tables;   // forwarding tables, where the plan asks for them
  Power modules;  // in both ends of cables
  Power nics;     // of the hosts

  [[nodiscard]] Power sum() const { return base + ports + traffic + tables + modules + nics; }
  bool operator==(const Breakdown&) const = default;
};

[[nodiscard]] Result<Breakdown> power_breakdown(const PartsCount& count, const Inputs& inputs,
                                                const power::Library& library);

}  // namespace ebb::plan
