// SPDX-License-Identifier: Apache-2.0
#include "gnuplot_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ebb::figures {
namespace {

constexpr int kSignificantDigits = 4;
constexpr std::string_view kApostrophe = "\u2019";

// Decimals that leave four significant digits.
int decimals_for(double number) {
  if (number == 0) return 0;
  const int before_point = static_cast<int>(std::floor(std::log10(std::abs(number)))) + 1;
  return std::max(0, kSignificantDigits - before_point);
}

std::string unit_text(const std::string& unit) {
  return unit == "us" || unit == "uW" || unit == "uJ" ? "\u00b5" + unit.substr(1) : unit;
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string safe = "'";
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    safe += c == '\'' ? std::string(kApostrophe) : std::string(1, control ? ' ' : c);
  }
  return safe + "'";
}

std::string quoted_lines(std::string_view text, std::size_t width) {
  std::string lines;
  while (text.size() > width) {
    const auto blank = text.find(' ', 0) > width ? text.find(' ') : text.rfind(' ', width);
    if (blank == std::string_view::npos) break;
    lines += quoted(text.substr(0, blank)) + ".\"\\n\".";
    text.remove_prefix(blank + 1);
  }
  return lines + quoted(text);
}

std::string quoted_tic(std::string_view text, std::size_t width) {
  std::string doubled;
  for (const char c : text) doubled += c == '%' ? std::string("%%") : std::string(1, c);
  return quoted_lines(doubled, width);
}

std::string axis_text(const Axis& axis) {
  if (axis.unit.empty()) return axis.label;
  return fmt::format("{} ({})", axis.label, unit_text(axis.unit));
}

std::string short_number(double number) {
  std::string text = fmt::format("{:.{}f}", number, decimals_for(number));
  const auto point = text.find('.');
  if (point != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  const std::size_t first_digit = number < 0 ? 1 : 0;
  const std::size_t whole = std::min(text.find('.'), text.size());
  for (std::size_t at = whole; at > first_digit + 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

}  // namespace ebb::figures
