// SPDX-License-Identifier: Apache-2.0
//
// What a network takes from the wall when its switch part names a power supply. The chip, its links
// and the modules in the ports of a switch are fed by the supplies of that switch, so each switch
// works at its own point of the efficiency curve. Network cards and modules at hosts are fed by the
// hosts, of whose supplies nothing is known.
//
//   const auto wall = wall_power(count, inputs, watts, library);
//   if (*wall) print((*wall)->at_load);
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/plan/inputs.hpp"
#include "ebb/plan/power.hpp"
#include "ebb/power/library.hpp"
#include "ebb/power/power_supply.hpp"
#include "ebb/units/energy.hpp"

#include <array>
#include <optional>

namespace ebb::plan {

// The supplies of the switch part; nothing for a part that names none.
[[nodiscard]] Result<std::optional<power::SwitchSupply>> supply_of(const Inputs& inputs,
                                                                   const power::Library& library);

// One end of the modules that the plan names for cables: electrical, optical, backplane. Nothing
// where it names none.
[[nodiscard]] Result<std::array<Power, 3>> module_ends(const Inputs& inputs,
                                                       const power::Library& library);

// Nothing for a part without supplies. `inputs` has the rate of the links.
[[nodiscard]] Result<std::optional<WallWatts>> wall_power(const PartsCount& count,
                                                          const Inputs& inputs, const Watts& watts,
                                                          const power::Library& library);

// What the wall saves when all lit links draw that share of their full power; nothing for a part
// without supplies.
[[nodiscard]] Result<std::optional<Power>> links_save_at_wall(const PartsCount& count,
                                                              const Inputs& inputs, Ratio relative,
                                                              const power::Library& library);

// Refuses a network with a switch that draws more than its supplies are rated for.
[[nodiscard]] Result<void> check_supply(const PartsCount& count, const Inputs& inputs,
                                        const power::Library& library);

}  // namespace ebb::plan
