// SPDX-License-Identifier: Apache-2.0
//
// The share of the links' power that a policy saves, by a short packet simulation of the design:
// the routing is the first of `ebb list` that is made for the family, every host of the design
// sends, and what the channels draw is set against always-on.
#pragma once

#include "ebb/plan/power.hpp"
#include "ebb/savings/savings.hpp"

namespace ebb::savings {

[[nodiscard]] Result<LinkSaving> simulated_saving(const Question& question,
                                                  const plan::Design& design,
                                                  const plan::LinkModel& links,
                                                  const plan::Inputs& inputs,
                                                  const power::Library& library);

}  // namespace ebb::savings
