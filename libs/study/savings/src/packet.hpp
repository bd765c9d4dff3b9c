// SPDX-License-Identifier: Apache-2.0
//
// The share of the links' power that a policy saves, by a short packet simulation of the design:
// the routing is the first of `ebb list` that is made for the family, every host of the design
// sends, and what the channels draw is set against always-on.
#pragma once

#include "ebb/savings/savings.hpp"

#include <string>

namespace ebb::savings {

[[nodiscard]] Result<LinkSaving> simulated_saving(const Question& question,
                                                  const plan::Design& design,
                                                  const plan::Inputs& inputs,
                                                  const power::Library& library);

// The simulation file that is run.
[[nodiscard]] Result<std::string> simulation_text(const Question& question,
                                                  const plan::Design& design,
                                                  const plan::Inputs& inputs);

}  // namespace ebb::savings
