// SPDX-License-Identifier: Apache-2.0
//
// Quantities as text, for configuration, command line and results alike.
//
// parse<T> is strict: a bare number is refused, units are case-sensitive ("Gb/s" is bits, "GB/s"
// bytes), and a value that is not a whole number of base units is refused rather than rounded.
// to_text prints the shortest exact form, so parse<T>(to_text(x)) == x for every x.
//
//   parse<DataRate>("40Gb/s"), parse<Duration>("1us"), parse<Power>("9W"), parse<Money>("$1.50")
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/quantity.hpp"
#include "ebb/units/time.hpp"

#include <string>
#include <string_view>

namespace ebb {

template <class T>
[[nodiscard]] Result<T> parse(std::string_view text) = delete;

template <>
[[nodiscard]] Result<Duration> parse<Duration>(std::string_view text);
template <>
[[nodiscard]] Result<DataSize> parse<DataSize>(std::string_view text);
template <>
[[nodiscard]] Result<DataRate> parse<DataRate>(std::string_view text);
template <>
[[nodiscard]] Result<Power> parse<Power>(std::string_view text);
template <>
[[nodiscard]] Result<Energy> parse<Energy>(std::string_view text);
template <>
[[nodiscard]] Result<Money> parse<Money>(std::string_view text);
template <>
[[nodiscard]] Result<EnergyPrice> parse<EnergyPrice>(std::string_view text);
template <>
[[nodiscard]] Result<CarbonIntensity> parse<CarbonIntensity>(std::string_view text);
template <>
[[nodiscard]] Result<Length> parse<Length>(std::string_view text);
template <>
[[nodiscard]] Result<Voltage> parse<Voltage>(std::string_view text);
// "1.6" or "23%": the one kind of number that has no unit.
template <>
[[nodiscard]] Result<Ratio> parse<Ratio>(std::string_view text);

[[nodiscard]] std::string to_text(Duration value);
[[nodiscard]] std::string to_text(DataSize value);
[[nodiscard]] std::string to_text(DataRate value);
[[nodiscard]] std::string to_text(Power value);
[[nodiscard]] std::string to_text(Energy value);
[[nodiscard]] std::string to_text(Money value);
[[nodiscard]] std::string to_text(EnergyPrice value);
[[nodiscard]] std::string to_text(CarbonIntensity value);
[[nodiscard]] std::string to_text(Length value);
[[nodiscard]] std::string to_text(Voltage value);
[[nodiscard]] std::string to_text(Ratio value);

}  // namespace ebb
