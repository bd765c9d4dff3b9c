// SPDX-License-Identifier: Apache-2.0
//
// Tables and figures: the numbers behind a plot, and what a figure shows of them, without how it is
// drawn. What is drawn, printed in a report or saved as a file is a Table first, so that a reader
// can check a picture against its numbers.
//
//   Figure figure{.name = "power", .title = "Power follows load", .kind = Kind::lines,
//                 .x = {"offered load", "%"}, .y = {"power", "%"}};
//   figure.series = {{"epoch", {{10, 31}, {20, 38}}}};
//   figure.references = {{"ideal", {{0, 0}, {100, 100}}}};
#pragma once

#include "ebb/core/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ebb::plots {

// Nothing, where a value does not exist: the confidence interval of a single run.
using Cell = std::variant<std::monostate, double, std::string>;

struct Column {
  enum class Kind : std::uint8_t { number, text };

  std::string name;   // for programs: "relative_power"
  std::string label;  // for people: "power of the channels"
  std::string unit;   // empty for counts and words
  Kind kind = Kind::number;
};

struct Table {
  std::string title;
  std::string note;  // how to read it
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // as many cells as columns

  // Position of a column; a name that is not there is a bug.
  [[nodiscard]] std::size_t column(std::string_view name) const;
};

// First line: the names, each with its unit as in "offered_load [%]". Numbers in the shortest
// form that reads back as the same number.
[[nodiscard]] std::string to_csv(const Table& table);

// The other way round: the file's name is the title, and a column is of numbers when all its cells
// are, or are empty. Quotes as in RFC 4180. At most kMostCsvCells cells.
[[nodiscard]] Result<Table> read_csv(std::string_view text, const std::string& file);
inline constexpr std::size_t kMostCsvCells = 10'000'000;

// {"title", "note", "columns": [{"name", "label", "unit", "kind"}], "rows": [[...]]}
[[nodiscard]] std::string to_json(const Table& table);

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

// Whether a measurement can be taken as it stands.
enum class PointStatus : std::uint8_t {
  fine,
  saturated,  // more was offered than the network carries
  too_short   // for what was sent: the run could not show which
};
[[nodiscard]] std::string_view to_text(PointStatus status);  // empty for fine
[[nodiscard]] PointStatus point_status(std::string_view text);

struct Point {
  double x = 0;  // of bars: the position in `categories`
  double y = 0;
  std::optional<Interval> interval = {};
  PointStatus status = PointStatus::fine;
  std::string label = {};  // beside the point
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

// A figure of any table: one column across, others up.
struct ColumnChoice {
  std::string x;
  std::vector<std::string> y;
  bool log_x = false;
  bool log_y = false;
};

// Lines with points, one per column of y; cells without a number are left out. All mistakes at
// once: unknown columns, columns of words, nothing above zero for a logarithm.
[[nodiscard]] Result<Figure> column_figure(const Table& table, const ColumnChoice& choice);

}  // namespace ebb::plots
