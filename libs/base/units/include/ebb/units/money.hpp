// SPDX-License-Identifier: Apache-2.0
//
// Money in millionths of a dollar, and the price of energy.
#pragma once

#include "ebb/units/energy.hpp"
#include "ebb/units/quantity.hpp"

#include <cstdint>

namespace ebb {

using Money = Quantity<struct MoneyTag>;              // micro-dollar
using EnergyPrice = Quantity<struct EnergyPriceTag>;  // micro-dollar per kWh

constexpr Money dollars(std::int64_t n) { return Money::from_count(1'000'000 * n); }
constexpr EnergyPrice cents_per_kwh(std::int64_t n) { return EnergyPrice::from_count(10'000 * n); }

inline constexpr Int128 kAttojoulesPerKwh =
    static_cast<Int128>(3'600'000) * 1'000'000'000'000'000'000;

// Price of an energy, rounded down to a micro-dollar. Whole kWh and the rest are priced apart so
// that decades of megawatts stay inside 128 bits.
constexpr Money cost(Energy energy, EnergyPrice price) {
  const Int128 whole = energy.count() / kAttojoulesPerKwh;
  const Int128 rest = energy.count() % kAttojoulesPerKwh;
  const Int128 total = whole * price.count() + rest * price.count() / kAttojoulesPerKwh;
  return Money::from_count(static_cast<std::int64_t>(total));
}

constexpr double to_dollars(Money money) { return static_cast<double>(money.count()) / 1e6; }

}  // namespace ebb
