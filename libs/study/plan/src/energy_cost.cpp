// SPDX-License-Identifier: Apache-2.0
#include "ebb/plan/energy_cost.hpp"

#include <chrono>

namespace ebb::plan {

Money energy_cost(Power power, const Tariff& tariff) {
  constexpr std::int64_t kHoursPerYear = 8760;
  return cost(scale(power, tariff.pue) * std::chrono::hours(tariff.years * kHoursPerYear),
              tariff.price);
}

}  // namespace ebb::plan
