// SPDX-License-Identifier: Apache-2.0
//
// The floor plan as configuration: `floor: {switches_per_rack: 8, electrical_limit: 5m, ...}`.
// Keys that are left out keep their defaults.
#pragma once

#include "ebb/files/document.hpp"
#include "ebb/topology/placement.hpp"

namespace ebb::files {

// Reads `floor` from the section, if it is there.
void read_floor(Section& section, topology::FloorPlan& floor);

}  // namespace ebb::files
