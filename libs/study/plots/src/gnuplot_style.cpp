// SPDX-License-Identifier: Apache-2.0
#include "gnuplot_style.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ebb::plots {
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
