// SPDX-License-Identifier: Apache-2.0
//
// Power, energy, what energy costs and what it emits. Power in microwatts, energy in attojoules: 1
// uW x 1 ps = 1 aJ exactly, so a sum of energies is the same in any order and on any number of
// threads.
#pragma once

#include "ebb/units/data.hpp"
#include "ebb/units/quantity.hpp"

#include <chrono>
#include <cstdint>
#include <ratio>

namespace ebb {

using Power = Quantity<struct PowerTag>;            // uW, up to 9.2 TW
using Energy = Quantity<struct EnergyTag, Int128>;  // aJ

constexpr Power microwatts(std::int64_t n) { return Power::from_count(n); }
constexpr Power milliwatts(std::int64_t n) { return microwatts(1'000 * n); }
constexpr Power watts(std::int64_t n) { return microwatts(1'000'000 * n); }

constexpr Energy attojoules(Int128 n) { return Energy::from_count(n); }
constexpr Energy picojoules(std::int64_t n) {
  return attojoules(static_cast<Int128>(n) * 1'000'000);
}
constexpr Energy joules(std::int64_t n) {
  return attojoules(static_cast<Int128>(n) * 1'000'000'000'000'000'000);
}

// Exact for any std::chrono unit, years included: the span is widened before it is multiplied.
template <class Rep, class Period>
constexpr Energy operator*(Power power, std::chrono::duration<Rep, Period> time) {
  using Scale = std::ratio_divide<Period, std::pico>;
  static_assert(Scale::den == 1, "a span finer than a picosecond has no exact energy");
  return attojoules(static_cast<Int128>(power.count()) * time.count() * Scale::num);
}

template <class Rep, class Period>
constexpr Energy operator*(std::chrono::duration<Rep, Period> time, Power power) {
  return power * time;
}

// Mean power of an energy spent over a span, rounded down; for reports.
constexpr Power mean_power(Energy energy, Duration time) {
  return microwatts(static_cast<std::int64_t>(energy.count() / time.count()));
}

// Power of spending `per_bit` on each bit of a stream of `rate`, rounded down to microwatts.
constexpr Power power_of_stream(Energy per_bit, DataRate rate) {
  return microwatts(static_cast<std::int64_t>(per_bit.count() * rate.count() / 1'000'000'000'000));
}

// Joules as floating point; for reports only.
constexpr double to_joules(Energy energy) { return static_cast<double>(energy.count()) / 1e18; }
constexpr double to_watts(Power power) { return static_cast<double>(power.count()) / 1e6; }

// Money in millionths of a dollar, and the price of energy.
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

// What generating energy emits, carbon dioxide in milligrams.
using Mass = Quantity<struct MassTag>;                        // mg
using CarbonIntensity = Quantity<struct CarbonIntensityTag>;  // mg per kWh

constexpr CarbonIntensity grams_per_kwh(std::int64_t n) {
  return CarbonIntensity::from_count(1'000 * n);
}

// Rounded down to a milligram; whole kWh and the rest apart, as with money.
constexpr Mass emission(Energy energy, CarbonIntensity intensity) {
  const Int128 whole = energy.count() / kAttojoulesPerKwh;
  const Int128 rest = energy.count() % kAttojoulesPerKwh;
  const Int128 total = whole * intensity.count() + rest * intensity.count() / kAttojoulesPerKwh;
  return Mass::from_count(static_cast<std::int64_t>(total));
}

constexpr double to_kilograms(Mass mass) { return static_cast<double>(mass.count()) / 1e6; }
constexpr double to_kwh(Energy energy) { return to_joules(energy) / 3.6e6; }
constexpr double to_dollars(Money money) { return static_cast<double>(money.count()) / 1e6; }

}  // namespace ebb
