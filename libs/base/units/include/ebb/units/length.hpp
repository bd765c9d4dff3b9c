// SPDX-License-Identifier: Apache-2.0
//
// Cable length in millimetres.
#pragma once

#include "ebb/units/quantity.hpp"

#include <cstdint>

namespace ebb {

using Length = Quantity<struct LengthTag>;  // mm

constexpr Length millimetres(std::int64_t n) { return Length::from_count(n); }
constexpr Length metres(std::int64_t n) { return millimetres(1'000 * n); }

}  // namespace ebb
