// SPDX-License-Identifier: Apache-2.0
#include "flow_time.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace ebb::trace {
namespace {

// A decimal is digits x 10^exponent. Digits beyond those that 64 bits of nanoseconds and the three
// of picoseconds hold are dropped.
struct FlowDecimal {
  Int128 digits = 0;
  int exponent = 0;
};

bool is_flow_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<FlowDecimal> parse_flow_decimal(std::string_view text) {
  constexpr Int128 kMost = Int128{1} << 100;
  FlowDecimal decimal;
  bool has_digit = false;
  bool after_point = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    if (text[i] == '.' && !after_point) {
      after_point = true;
      continue;
    }
    if (!is_flow_digit(text[i])) break;
    has_digit = true;
    if (decimal.digits > kMost) {
      if (!after_point) return std::nullopt;
      continue;
    }
    decimal.digits = decimal.digits * 10 + (text[i] - '0');
    decimal.exponent -= after_point ? 1 : 0;
  }
  if (!has_digit) return std::nullopt;
  if (i == text.size()) return decimal;
  if (text[i] != 'e' && text[i] != 'E') return std::nullopt;
  text.remove_prefix(i + 1);
  if (text.starts_with('+')) text.remove_prefix(1);
  constexpr int kMostExponent = 100;
  int exponent = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (exponent < -kMostExponent || exponent > kMostExponent) return std::nullopt;
  decimal.exponent += exponent;
  return decimal;
}

// Picoseconds, cut to whole ones, and whether anything was cut off.
struct FlowPicoseconds {
  Int128 whole = 0;
  bool is_cut = false;
};

std::optional<FlowPicoseconds> flow_picoseconds(FlowDecimal decimal) {
  constexpr Int128 kMost = Int128{std::numeric_limits<std::int64_t>::max()} * 1000;
  FlowPicoseconds result{decimal.digits, false};
  for (; decimal.exponent < 0 && result.whole != 0; ++decimal.exponent) {
    result.is_cut = result.is_cut || result.whole % 10 != 0;
    result.whole /= 10;
  }
  for (; decimal.exponent > 0 && result.whole != 0; --decimal.exponent) {
    if (result.whole > kMost) return std::nullopt;
    result.whole *= 10;
  }
  if (result.whole > kMost) return std::nullopt;
  return result;
}

}  // namespace

const std::vector<std::string>& time_units() {
  static const std::vector<std::string> units = {"ps", "ns", "us", "ms", "s"};
  return units;
}

std::optional<FlowTime> parse_flow_time(std::string_view text, std::string_view unit) {
  for (const std::string& one : time_units()) {
    if (!text.ends_with(one)) continue;
    const char before = text.size() > one.size() ? text[text.size() - one.size() - 1] : ' ';
    if (!is_flow_digit(before) && before != '.' && before != ' ') continue;
    unit = one;
    text.remove_suffix(one.size());
    while (text.ends_with(' ')) text.remove_suffix(1);
    break;
  }
  const auto found = std::find(time_units().begin(), time_units().end(), unit);
  auto decimal = parse_flow_decimal(text);
  if (!decimal || found == time_units().end()) return std::nullopt;
  decimal->exponent += 3 * static_cast<int>(found - time_units().begin());
  const auto picoseconds = flow_picoseconds(*decimal);
  if (!picoseconds) return std::nullopt;
  // What is finer than a picosecond counts as one.
  return FlowTime{std::chrono::nanoseconds(static_cast<std::int64_t>(picoseconds->whole / 1000)),
                  Duration(static_cast<std::int64_t>(picoseconds->whole % 1000) +
                           (picoseconds->is_cut ? 1 : 0))};
}

void CutTimes::add(const FlowTime& time, std::uint32_t line) {
  if (time.cut == Duration()) return;
  if (count_++ == 0) first_line_ = line;
  most_ = std::max(most_, time.cut);
}

void CutTimes::append_repair(std::vector<std::string>& repairs) const {
  if (count_ == 0) return;
  repairs.push_back(
      fmt::format("{} start times are cut to whole nanoseconds, by at most {} (first in line {})",
                  count_, to_text(most_), first_line_));
}

}  // namespace ebb::trace
