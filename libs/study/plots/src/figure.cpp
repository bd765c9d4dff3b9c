// SPDX-License-Identifier: Apache-2.0
#include "ebb/plots/figure.hpp"

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

}  // namespace ebb::plots
