// SPDX-License-Identifier: Apache-2.0
#include "gnuplot_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

}  // namespace

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

namespace {

struct Colour {
  int red;
  int green;
  int blue;
};

constexpr std::array kLineColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                     "#E69F00", "#56B4E9", "#000000"};
constexpr std::array kPointShapes = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};  // filled, then open
constexpr std::array kBarColours = {"#0072B2", "#F0E442", "#D55E00", "#56B4E9", "#009E73"};
constexpr std::array<Colour, 5> kLayers = {
    {{0, 34, 78}, {67, 78, 108}, {125, 124, 120}, {188, 175, 111}, {254, 232, 56}}};

int between(int from, int to, double share) {
  return static_cast<int>(std::lround(from + (to - from) * share));
}

}  // namespace

std::string line_style(std::size_t i) {
  return fmt::format("linecolor rgb '{}' linewidth 2 dashtype {} pointtype {} pointsize 0.8",
                     kLineColours[i % kLineColours.size()], 1 + i / kLineColours.size() % 5,
                     kPointShapes[i % kPointShapes.size()]);
}

std::string bar_style(std::size_t i) {
  return fmt::format("linecolor rgb '{}' fillstyle solid border linecolor rgb 'black'",
                     kBarColours[i % kBarColours.size()]);
}

std::string layer_style(std::size_t i, std::size_t n) {
  const double place = n < 2 ? 0 : 4.0 * static_cast<double>(i) / static_cast<double>(n - 1);
  const auto step = std::min<std::size_t>(static_cast<std::size_t>(place), kLayers.size() - 2);
  const double share = place - static_cast<double>(step);
  const Colour& a = kLayers[step];
  const Colour& b = kLayers[step + 1];
  return fmt::format(
      "linecolor rgb '#{:02x}{:02x}{:02x}' fillstyle solid border linecolor rgb 'black'",
      between(a.red, b.red, share), between(a.green, b.green, share),
      between(a.blue, b.blue, share));
}

}  // namespace ebb::plots
