// SPDX-License-Identifier: Apache-2.0
//
// Rates as OpenConfig's identities: SPEED_100MB, SPEED_2500MB, SPEED_25GB (B is for bits there).
// OpenConfig lists those of Ethernet; others, as SPEED_1MB, have the same form, and a target that
// does not know them refuses them.
#pragma once

#include "ebb/units/data.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ebb::gnmi {

// Whole megabits a second; nothing for other rates.
[[nodiscard]] std::optional<std::string> speed_name(DataRate rate);
// Also with the name of the model before it: openconfig-if-ethernet:SPEED_10GB.
[[nodiscard]] std::optional<DataRate> read_speed(std::string_view name);

}  // namespace ebb::gnmi
