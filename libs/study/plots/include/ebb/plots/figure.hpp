// SPDX-License-Identifier: Apache-2.0
//
// What a figure shows, without how it is drawn:
//
//   Figure figure{.name = "power", .title = "Power follows load", .kind = Kind::lines,
//                 .x = {"offered load", "%"}, .y = {"power", "%"}};
//   figure.series = {{"epoch", {{10, 31}, {20, 38}}}};
//   figure.references = {{"ideal", {{0, 0}, {100, 100}}}};
#pragma once

#include "ebb/plots/table.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ebb::plots {

enum class Kind : std::uint8_t { lines, points, bars, stacked_bars };

struct Axis {
  std::string label;
  std::string unit;
  bool log = false;
};

// Of a measurement: where the true value lies. Of a published value: what counts as the same.
struct Interval {
  double low = 0;
  double high = 0;
};

struct Point {
  double x = 0;  // of bars: the position in `categories`
  double y = 0;
  std::optional<Interval> interval;
};

struct Series {
  std::string label;
  std::vector<Point> points;
};

// A horizontal line through the whole drawing.
struct Level {
  std::string label;
  double y = 0;
};

struct Figure {
  std::string name;  // of its files
  std::string title;
  Kind kind = Kind::lines;
  Axis x;
  Axis y;
  std::vector<std::string> categories;  // of bars, from left to right
  std::vector<Series> series;
  std::vector<Series> references;  // what others say: pale bars, else dashed lines
  std::vector<Level> levels;
};

// Every number that the figure shows: series, x, y, low, high.
[[nodiscard]] Table data_of(const Figure& figure);

}  // namespace ebb::plots
