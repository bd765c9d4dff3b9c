// SPDX-License-Identifier: Apache-2.0
//
// Dollars for a constant power over a service life: P x PUE x years x 8,760 h x price, exact.
#pragma once

#include "ebb/plan/inputs.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/money.hpp"

namespace ebb::plan {

[[nodiscard]] Money energy_cost(Power power, const Tariff& tariff);

}  // namespace ebb::plan
