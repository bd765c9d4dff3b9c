// SPDX-License-Identifier: Apache-2.0
//
// The two networks of Table 1 of "Energy Proportional Datacenter Networks" as designs of a plan.
#pragma once

#include "ebb/plan/design.hpp"

namespace ebb::repro {

// Conditions of section 2.2: 32k hosts, 40 Gb/s, 36-port chips of 100 W, NICs of 10 W, $0.07/kWh,
// PUE 1.6, four years.
[[nodiscard]] plan::Inputs isca_inputs();

[[nodiscard]] Result<plan::Design> isca_fbfly(const power::Library& parts);
[[nodiscard]] Result<plan::Design> isca_clos(const power::Library& parts);

}  // namespace ebb::repro
