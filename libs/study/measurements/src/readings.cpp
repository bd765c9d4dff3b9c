// SPDX-License-Identifier: Apache-2.0
#include "readings.hpp"

#include "ebb/measurements/import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace ebb::measurements {
namespace {

using files::Diagnostics;
using files::Section;
using files::Value;

std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

// A number as YAML and Python write it.
std::optional<double> number_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || at != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

bool starts_with_one_of(std::string_view name, std::span<const std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](std::string_view start) { return name.starts_with(start); });
}

}  // namespace

Location place_of(const Value& value, const Diagnostics& errors) {
  return {errors.file(), value.line(), value.column(), value.path()};
}

bool is_null(const Value& value) {
  return !value.is_map() && !value.is_list() && !value.is_scalar();
}

Reading read_number(const Value& value, Diagnostics& errors) {
  Reading reading{.where = place_of(value, errors)};
  if (is_null(value)) {
    reading.gap = "is null";
    return reading;
  }
  const auto written = value.text(errors);
  if (!written) return reading;
  const std::string name = upper(*written);
  if (name == ".NAN" || name == "NAN") {
    reading.gap = "is not a number (.nan)";
    return reading;
  }
  reading.value = number_of(*written);
  if (!reading.value) {
    value.report(errors, fmt::format("expected a number, null or .nan, got '{}'", shown(*written)));
  }
  return reading;
}

Reading find_number(Section& section, std::string_view key) {
  const auto value = section.find(key);
  if (value) return read_number(*value, section.errors());
  return {.where = place_of(section.value(), section.errors())};
}

std::string find_text_or_null(Section& section, std::string_view key) {
  const auto value = section.find(key);
  if (!value || is_null(*value)) return {};
  return value->text(section.errors()).value_or("");
}

bool is_date(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto digits = [&](std::string_view part) {
    return std::all_of(part.begin(), part.end(), is_digit);
  };
  if (text.size() == 4) return digits(text);
  if (text.size() != 7 || text[4] != '-') return false;
  const std::string_view month = text.substr(5);
  return digits(text.substr(0, 4)) && digits(month) && month >= "01" && month <= "12";
}

std::optional<DataRate> parse_speed(std::string_view text) {
  constexpr double kMostGigabits = 1e6;
  if (text.size() < 2) return std::nullopt;
  const auto number = number_of(text.substr(0, text.size() - 1));
  constexpr std::string_view kUnits = "MGT";
  const std::size_t unit = kUnits.find(text.back());
  if (!number || unit == std::string_view::npos) return std::nullopt;
  const double bits_per_s = *number * std::array{1e6, 1e9, 1e12}.at(unit);
  if (bits_per_s < 1 || bits_per_s > kMostGigabits * 1e9) return std::nullopt;
  return bits_per_second(std::llround(bits_per_s));
}

std::string medium_of(std::string_view module) {
  static constexpr std::array<std::string_view, 16> kOptical = {
      "LR", "SR", "ER", "FR", "DR", "ZR", "VR",    "XR",
      "LX", "SX", "EX", "ZX", "BX", "AO", "CWDM4", "PSM4"};
  static constexpr std::array<std::string_view, 7> kElectrical = {"PCC", "DAC", "ACC", "AEC",
                                                                  "CR",  "CX",  "TX"};
  std::string name = upper(module);
  for (const std::string_view word : {"PASSIVE ", "ACTIVE "}) {
    if (name.starts_with(word)) name.erase(0, word.size());
  }
  if (name == "T" || name == "COPPER" || starts_with_one_of(name, kElectrical)) return "electrical";
  return starts_with_one_of(name, kOptical) ? "optical" : "";
}

}  // namespace ebb::measurements
