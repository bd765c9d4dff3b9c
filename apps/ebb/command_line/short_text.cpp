// SPDX-License-Identifier: Apache-2.0
#include "command_line/short_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

namespace ebb::cli {
namespace {

// `prefixes` are a thousand apart; `value` is in the first.
std::string scaled(double value, std::span<const char* const> units) {
  std::size_t unit = 0;
  while (unit + 1 < units.size() && std::abs(value) >= 999.95) {
    value /= 1000;
    ++unit;
  }
  const int decimals = std::abs(value) < 9.9995 ? 3 : std::abs(value) < 99.995 ? 2 : 1;
  return fmt::format("{:.{}f} {}", value, value == 0 ? 0 : decimals, units[unit]);
}

}  // namespace

std::string short_text(Duration time) {
  static constexpr std::array kUnits = {"ps", "ns", "us", "ms", "s"};
  return scaled(static_cast<double>(time.count()), kUnits);
}

std::string short_text(Power power) {
  static constexpr std::array kUnits = {"uW", "mW", "W", "kW", "MW"};
  return scaled(static_cast<double>(power.count()), kUnits);
}

std::string short_count(double number) {
  static constexpr std::array kUnits = {"", "k", "M", "G"};
  std::string text = scaled(number, kUnits);
  if (text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace ebb::cli
