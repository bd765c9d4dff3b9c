// SPDX-License-Identifier: Apache-2.0
#include "gnuplot_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ebb::plots {
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

// At blanks, into pieces of at most `width` characters where the words allow it.
std::vector<std::string_view> broken(std::string_view text, std::size_t width) {
  std::vector<std::string_view> lines;
  while (text.size() > width) {
    const auto first = text.find(' ');
    const auto blank = first > width ? first : text.rfind(' ', width);
    if (blank == std::string_view::npos) break;
    lines.push_back(text.substr(0, blank));
    text.remove_prefix(blank + 1);
  }
  lines.push_back(text);
  return lines;
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
  for (const std::string_view line : broken(text, width))
    lines += (lines.empty() ? "" : ".\"\\n\".") + quoted(line);
  return lines;
}

std::size_t lines_of(std::string_view text, std::size_t width) {
  return broken(text, width).size();
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

}  // namespace ebb::plots
