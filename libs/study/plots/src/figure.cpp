// SPDX-License-Identifier: Apache-2.0
#include "ebb/plots/figure.hpp"

#include "ebb/core/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::plots {
namespace {

Cell x_of(const Figure& figure, const Point& point) {
  if (figure.categories.empty()) return point.x;
  return figure.categories.at(static_cast<std::size_t>(point.x));
}

std::vector<Cell> row_of(const Figure& figure, const Series& series, const Point& point) {
  std::vector<Cell> row = {series.label, x_of(figure, point), point.y, {}, {}};
  if (point.interval) {
    row[3] = point.interval->low;
    row[4] = point.interval->high;
  }
  return row;
}

}  // namespace

std::string_view to_text(PointStatus status) {
  switch (status) {
    case PointStatus::fine:
      return "";
    case PointStatus::saturated:
      return "saturated";
    case PointStatus::too_short:
      return "too short";
  }
  return "";
}

PointStatus point_status(std::string_view text) {
  for (const PointStatus status : {PointStatus::saturated, PointStatus::too_short}) {
    if (text == to_text(status)) return status;
  }
  return PointStatus::fine;
}

Table data_of(const Figure& figure) {
  const bool named = !figure.categories.empty();
  Table table{.title = figure.title};
  table.columns = {
      {"series", "series", "", Column::Kind::text},
      {"x", figure.x.label, figure.x.unit, named ? Column::Kind::text : Column::Kind::number},
      {"y", figure.y.label, figure.y.unit},
      {"low", "from", figure.y.unit},
      {"high", "to", figure.y.unit}};
  for (const auto* all : {&figure.series, &figure.references}) {
    for (const Series& series : *all)
      for (const Point& point : series.points) table.rows.push_back(row_of(figure, series, point));
  }
  for (const Level& level : figure.levels)
    table.rows.push_back({level.label, Cell{}, level.y, Cell{}, Cell{}});
  return table;
}

namespace {

// Its position; complains when there is no such column of numbers.
std::size_t find_number_column(const Table& table, const std::string& name, Errors& errors) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    errors.push_back({unknown_name("column", name, names), {}});
    return 0;
  }
  const auto place = static_cast<std::size_t>(found - names.begin());
  if (table.columns[place].kind != Column::Kind::number)
    errors.push_back({fmt::format("column '{}' has cells that are not numbers", name), {}});
  return place;
}

std::vector<Point> points_of(const Table& table, std::size_t x, std::size_t y,
                             const ColumnChoice& choice) {
  std::vector<Point> points;
  for (const auto& row : table.rows) {
    const auto* across = std::get_if<double>(&row[x]);
    const auto* up = std::get_if<double>(&row[y]);
    if (across == nullptr || up == nullptr) continue;
    if ((choice.log_x && *across <= 0) || (choice.log_y && *up <= 0)) continue;
    points.push_back({*across, *up});
  }
  return points;
}

}  // namespace

Result<Figure> column_figure(const Table& table, const ColumnChoice& choice) {
  Errors errors;
  const std::size_t x = find_number_column(table, choice.x, errors);
  std::vector<std::size_t> columns;
  for (const std::string& name : choice.y)
    columns.push_back(find_number_column(table, name, errors));
  if (!errors.empty()) return fail(std::move(errors));
  const Column& first = table.columns[columns.front()];
  Figure figure{.name = table.title,
                .title = table.title,
                .x = {table.columns[x].label, table.columns[x].unit, choice.log_x},
                .y = {columns.size() == 1 ? first.label : "", first.unit, choice.log_y}};
  for (const std::size_t y : columns) {
    figure.series.push_back({table.columns[y].label, points_of(table, x, y, choice)});
    if (figure.series.back().points.empty())
      errors.push_back({fmt::format("column '{}' has nothing to draw", table.columns[y].name), {}});
  }
  if (!errors.empty()) return fail(std::move(errors));
  return figure;
}

}  // namespace ebb::plots
