// SPDX-License-Identifier: Apache-2.0
//
// Supply voltage in millivolts.
#pragma once

#include "ebb/units/quantity.hpp"

#include <cstdint>

namespace ebb {

using Voltage = Quantity<struct VoltageTag>;  // mV

constexpr Voltage millivolts(std::int64_t n) { return Voltage::from_count(n); }

}  // namespace ebb
