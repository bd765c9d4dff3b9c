// SPDX-License-Identifier: Apache-2.0
#include "ebb/units/text.hpp"

#include "decimal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace ebb {
namespace {

struct Unit {
  std::string_view name;
  Int128 scale;  // in base units
};

constexpr Int128 kKilo = 1'000;
constexpr Int128 kMega = 1'000'000;
constexpr Int128 kGiga = 1'000'000'000;
constexpr Int128 kTera = 1'000'000'000'000;
constexpr Int128 kPeta = kTera * kKilo;
constexpr Int128 kExa = kTera * kMega;
constexpr Int128 kKibi = 1024;

// Each table is ordered from small to large; printing uses the decimal ones among `printed`.
constexpr Unit kTimeUnits[] = {{"ps", 1},           {"ns", kKilo},       {"us", kMega},
                               {"ms", kGiga},       {"s", kTera},        {"min", 60 * kTera},
                               {"h", 3600 * kTera}, {"d", 86400 * kTera}};
constexpr Unit kSizeUnits[] = {{"b", 1},
                               {"B", 8},
                               {"kb", kKilo},
                               {"kB", 8 * kKilo},
                               {"KiB", 8 * kKibi},
                               {"Mb", kMega},
                               {"MB", 8 * kMega},
                               {"MiB", 8 * kKibi* kKibi},
                               {"Gb", kGiga},
                               {"GB", 8 * kGiga},
                               {"GiB", 8 * kKibi* kKibi* kKibi},
                               {"Tb", kTera},
                               {"TB", 8 * kTera},
                               {"TiB", 8 * kKibi* kKibi* kKibi* kKibi}};
constexpr Unit kRateUnits[] = {{"b/s", 1},          {"B/s", 8},          {"kb/s", kKilo},
                               {"kB/s", 8 * kKilo}, {"Mb/s", kMega},     {"MB/s", 8 * kMega},
                               {"Gb/s", kGiga},     {"GB/s", 8 * kGiga}, {"Tb/s", kTera},
                               {"TB/s", 8 * kTera}, {"Pb/s", kPeta}};
constexpr Unit kPowerUnits[] = {{"uW", 1},     {"mW", kKilo}, {"W", kMega},
                                {"kW", kGiga}, {"MW", kTera}, {"GW", kPeta}};
constexpr Unit kEnergyUnits[] = {{"aJ", 1},
                                 {"fJ", kKilo},
                                 {"pJ", kMega},
                                 {"nJ", kGiga},
                                 {"uJ", kTera},
                                 {"mJ", kPeta},
                                 {"J", kExa},
                                 {"kJ", kExa* kKilo},
                                 {"MJ", kExa* kMega},
                                 {"GJ", kExa* kGiga},
                                 {"Wh", 3600 * kExa},
                                 {"kWh", 3600 * kExa* kKilo},
                                 {"MWh", 3600 * kExa* kMega}};
constexpr Unit kPriceUnits[] = {{"/kWh", kMega}, {"/MWh", kKilo}};
constexpr Unit kCarbonUnits[] = {{"mg/kWh", 1}, {"g/kWh", kKilo}, {"kg/kWh", kMega}};
constexpr Unit kLengthUnits[] = {{"mm", 1}, {"cm", 10}, {"m", kKilo}, {"km", kMega}};
constexpr Unit kVoltageUnits[] = {{"mV", 1}, {"V", kKilo}, {"kV", kMega}};

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 40;
  return text.size() <= kMost ? std::string(text) : std::string(text.substr(0, kMost)) + "...";
}

std::vector<std::string> names_of(std::span<const Unit> units) {
  std::vector<std::string> names;
  for (const Unit& unit : units) names.emplace_back(unit.name);
  return names;
}

// What messages say of a kind of quantity. The example shows how one is written and does not guess
// the unit of the number that was given.
struct QuantityKind {
  std::string_view name;
  std::string_view example;
  std::span<const Unit> units;
};

constexpr QuantityKind kTime = {"time", "10us", kTimeUnits};
constexpr QuantityKind kSize = {"data size", "1500B", kSizeUnits};
constexpr QuantityKind kRate = {"data rate", "10Gb/s", kRateUnits};
constexpr QuantityKind kPower = {"power", "4.5W", kPowerUnits};
constexpr QuantityKind kEnergy = {"energy", "20pJ", kEnergyUnits};
constexpr QuantityKind kLength = {"length", "5m", kLengthUnits};
constexpr QuantityKind kVoltage = {"voltage", "0.8V", kVoltageUnits};
constexpr QuantityKind kPrice = {"price of energy", "$0.07/kWh", kPriceUnits};
constexpr QuantityKind kCarbon = {"carbon intensity", "366g/kWh", kCarbonUnits};

struct Spelling {
  std::string_view other;
  std::string_view ours;
};

// Ends of units of rates as other programs and data sheets write them, longest first.
constexpr Spelling kRateEndings[] = {
    {"bits/s", "b/s"}, {"bit/s", "b/s"}, {"bits", "b/s"}, {"bit", "b/s"}, {"bps", "b/s"},
    {"Bps", "B/s"},    {"bE", "b/s"},    {"b", "b/s"},    {"B", "B/s"},   {"", "b/s"}};
constexpr Spelling kWords[] = {
    {"sec", "s"},   {"secs", "s"},     {"second", "s"},   {"seconds", "s"}, {"msec", "ms"},
    {"usec", "us"}, {"\u00b5s", "us"}, {"\u03bcs", "us"}, {"nsec", "ns"},   {"mins", "min"},
    {"hour", "h"},  {"hours", "h"},    {"days", "d"},     {"byte", "B"},    {"bytes", "B"},
    {"bit", "b"},   {"bits", "b"},     {"watt", "W"},     {"watts", "W"},   {"volt", "V"},
    {"volts", "V"}, {"joule", "J"},    {"joules", "J"},   {"metre", "m"},   {"metres", "m"},
    {"meter", "m"}, {"meters", "m"}};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

// `name` as it would be in ebb's spelling.
std::string respelled(std::string_view name, const QuantityKind& kind) {
  for (const auto& [other, ours] : kWords) {
    if (name == other) return std::string(ours);
  }
  if (kind.name != kRate.name) return std::string(name);
  for (const auto& [other, ours] : kRateEndings) {
    if (!name.ends_with(other) || (other.empty() && name.find('/') != std::string_view::npos))
      continue;
    return std::string(name.substr(0, name.size() - other.size())) + std::string(ours);
  }
  return std::string(name);
}

// The units that `name` can only mean: the same in another spelling, or in other case, where bits
// and bytes may both be meant. Similar letters say nothing: 'min' and 'mm' are no mistypings of
// 'm'.
std::vector<std::string> meant_units(std::string_view name, const QuantityKind& kind) {
  const std::string ours = respelled(name, kind);
  std::vector<std::string> same_letters;
  for (const Unit& unit : kind.units) {
    if (unit.name == ours) return {ours};
    if (lower(unit.name) == lower(ours)) same_letters.emplace_back(unit.name);
  }
  return same_letters;
}

std::string unknown_unit(std::string_view text, std::string_view name, const QuantityKind& kind) {
  const auto meant = meant_units(name, kind);
  const std::string hint = meant.empty()
                               ? fmt::format("valid: {}", fmt::join(names_of(kind.units), ", "))
                               : fmt::format("did you mean '{}'?", fmt::join(meant, "' or '"));
  return fmt::format("in '{}': unknown unit of {} '{}'; {}", shown(text), kind.name, shown(name),
                     hint);
}

// The integer count in base units, refused when it is not exact or does not fit in `limit`.
Result<Int128> parse_count(const QuantityKind& kind, std::string_view text, Int128 limit) {
  const auto number = decimal::read(trim(text));
  if (!number) return fail(fmt::format("'{}' is not a {}", shown(text), kind.name));
  const std::string_view name = trim(number->rest);
  if (name.empty()) {
    return fail(fmt::format("'{}' has no unit; a {} is written like '{}'", shown(text), kind.name,
                            kind.example));
  }
  const std::span<const Unit> units = kind.units;
  for (const Unit& unit : units) {
    if (unit.name != name) continue;
    const auto count = decimal::scaled(*number, unit.scale);
    if (!count) {
      return fail(
          fmt::format("'{}' is finer than ebb's {} or too large", shown(text), units[0].name));
    }
    if (*count > limit || *count < -limit)
      return fail(fmt::format("'{}' is too large", shown(text)));
    return *count;
  }
  return fail(unknown_unit(text, name, kind));
}

constexpr Int128 kInt64Limit = std::numeric_limits<std::int64_t>::max();
constexpr Int128 kEnergyLimit = static_cast<Int128>(1) << 120;

template <class T>
Result<T> parse_quantity(const QuantityKind& kind, std::string_view text) {
  return parse_count(kind, text, kInt64Limit).map([](Int128 count) {
    return T::from_count(static_cast<std::int64_t>(count));
  });
}

// The largest of `units` that leaves at least one whole; the first for zero.
std::string print_count(Int128 count, std::span<const Unit> units) {
  const Unit* best = units.data();
  const Int128 magnitude = count < 0 ? -count : count;
  for (const Unit& unit : units) {
    if (magnitude >= unit.scale) best = &unit;
  }
  return decimal::print(count, best->scale) + std::string(best->name);
}

std::string_view without_dollar(std::string_view text, bool& found) {
  text = trim(text);
  found = !text.empty() && text.front() == '$';
  return found ? text.substr(1) : text;
}

}  // namespace

template <>
Result<Duration> parse<Duration>(std::string_view text) {
  return parse_count(kTime, text, kInt64Limit).map([](Int128 count) {
    return Duration(static_cast<std::int64_t>(count));
  });
}

template <>
Result<DataSize> parse<DataSize>(std::string_view text) {
  return parse_quantity<DataSize>(kSize, text);
}

template <>
Result<DataRate> parse<DataRate>(std::string_view text) {
  return parse_quantity<DataRate>(kRate, text);
}

template <>
Result<Power> parse<Power>(std::string_view text) {
  return parse_quantity<Power>(kPower, text);
}

template <>
Result<Energy> parse<Energy>(std::string_view text) {
  return parse_count(kEnergy, text, kEnergyLimit).map([](Int128 count) {
    return Energy::from_count(count);
  });
}

template <>
Result<Length> parse<Length>(std::string_view text) {
  return parse_quantity<Length>(kLength, text);
}

template <>
Result<Voltage> parse<Voltage>(std::string_view text) {
  return parse_quantity<Voltage>(kVoltage, text);
}

template <>
Result<Money> parse<Money>(std::string_view text) {
  bool dollar = false;
  const auto number = decimal::read(without_dollar(text, dollar));
  if (!dollar || !number || !trim(number->rest).empty()) {
    return fail(fmt::format("'{}' is not an amount of money; write it like '$1.50'", shown(text)));
  }
  const auto count = decimal::scaled(*number, kMega);
  if (!count || *count > kInt64Limit || *count < -kInt64Limit) {
    return fail(
        fmt::format("'{}' is finer than a millionth of a dollar or too large", shown(text)));
  }
  return Money::from_count(static_cast<std::int64_t>(*count));
}

template <>
Result<EnergyPrice> parse<EnergyPrice>(std::string_view text) {
  bool dollar = false;
  const std::string_view rest = without_dollar(text, dollar);
  if (!dollar) {
    return fail(
        fmt::format("'{}' is not a price of energy; write it like '$0.07/kWh'", shown(text)));
  }
  return parse_quantity<EnergyPrice>(kPrice, rest);
}

template <>
Result<CarbonIntensity> parse<CarbonIntensity>(std::string_view text) {
  return parse_quantity<CarbonIntensity>(kCarbon, text);
}

template <>
Result<Ratio> parse<Ratio>(std::string_view text) {
  const auto number = decimal::read(trim(text));
  if (!number) return fail(fmt::format("'{}' is not a number", shown(text)));
  const std::string_view rest = trim(number->rest);
  if (!rest.empty() && rest != "%") {
    return fail(fmt::format("'{}' is not a ratio; write it like '0.23' or '23%'", shown(text)));
  }
  constexpr int kMostDecimals = 15;
  const int decimals = number->fraction_digits + (rest == "%" ? 2 : 0);  // as printed again
  constexpr Int128 kLargest = 1'000'000'000'000'000'000;
  if (decimals > kMostDecimals || number->digits > kLargest || number->digits < -kLargest) {
    return fail(fmt::format("'{}' has too many digits", shown(text)));
  }
  std::int64_t den = 1;
  for (int i = 0; i < decimals; ++i) den *= 10;
  return Ratio(static_cast<std::int64_t>(number->digits), den);
}

std::string to_text(Duration value) {
  return print_count(value.count(), std::span(kTimeUnits).first(5));
}

std::string to_text(DataSize value) {
  static constexpr Unit kBits[] = {{"b", 1}};
  static constexpr Unit kDecimal[] = {
      {"B", 8}, {"kB", 8 * kKilo}, {"MB", 8 * kMega}, {"GB", 8 * kGiga}, {"TB", 8 * kTera}};
  static constexpr Unit kBinary[] = {{"B", 8},
                                     {"KiB", 8 * kKibi},
                                     {"MiB", 8 * kKibi * kKibi},
                                     {"GiB", 8 * kKibi * kKibi * kKibi},
                                     {"TiB", 8 * kKibi * kKibi * kKibi * kKibi}};
  if (value.count() % 8 != 0) return print_count(value.count(), kBits);
  if (value.count() == 0 || value.count() % (8 * kKibi) != 0)
    return print_count(value.count(), kDecimal);
  // Only a unit that leaves no fraction: one of 2^40 bytes can have 43 decimals.
  const Unit* best = kBinary;
  for (const Unit& unit : kBinary) {
    if (value.count() % unit.scale == 0) best = &unit;
  }
  return print_count(value.count(), std::span(best, 1));
}

std::string to_text(DataRate value) {
  static constexpr Unit kBits[] = {{"b/s", 1},      {"kb/s", kKilo}, {"Mb/s", kMega},
                                   {"Gb/s", kGiga}, {"Tb/s", kTera}, {"Pb/s", kPeta}};
  return print_count(value.count(), kBits);
}

std::string to_text(Power value) { return print_count(value.count(), kPowerUnits); }
std::string to_text(Energy value) {
  return print_count(value.count(), std::span(kEnergyUnits).first(10));
}
std::string to_text(CarbonIntensity value) {
  return print_count(value.count(), std::span(kCarbonUnits).first(2));
}
std::string to_text(Length value) { return print_count(value.count(), kLengthUnits); }
std::string to_text(Voltage value) { return print_count(value.count(), kVoltageUnits); }
std::string to_text(Money value) { return "$" + decimal::print(value.count(), kMega); }
std::string to_text(EnergyPrice value) {
  return "$" + decimal::print(value.count(), kMega) + "/kWh";
}

// Ratios that came from text have decimal denominators; others, such as 1/3, print as "1/3".
std::string to_text(Ratio value) {
  std::int64_t den = value.den();
  while (den % 2 == 0) den /= 2;
  while (den % 5 == 0) den /= 5;
  if (den != 1) return fmt::format("{}/{}", value.num(), value.den());
  return decimal::print(value.num(), value.den());
}

}  // namespace ebb
