// SPDX-License-Identifier: Apache-2.0
//
// Quantities rounded for people: four digits and the unit that suits them.
#pragma once

#include "ebb/units/energy.hpp"
#include "ebb/units/time.hpp"

#include <string>

namespace ebb::cli {

[[nodiscard]] std::string short_text(Duration time);
[[nodiscard]] std::string short_text(Power power);
// 12345678 -> "12.35 M"
[[nodiscard]] std::string short_count(double number);

}  // namespace ebb::cli
