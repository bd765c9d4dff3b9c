// SPDX-License-Identifier: Apache-2.0
#include "results/tables.hpp"

#include <algorithm>

namespace ebb::plots {
namespace {

// Position of a text in a list; added at the end when it is new.
std::size_t place_of(const std::string& text, std::vector<std::string>& list) {
  const auto found = std::find(list.begin(), list.end(), text);
  if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
  list.push_back(text);
  return list.size() - 1;
}

bool has_column(const Table& table, const std::string& name) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [&](const Column& column) { return column.name == name; });
}

bool is_number(const std::vector<Cell>& row, std::size_t column) {
  return std::holds_alternative<double>(row[column]);
}

}  // namespace

Column text_column(std::string name, std::string label) {
  return {std::move(name), std::move(label), "", Column::Kind::text};
}

Column number_column(std::string name, std::string label, std::string unit) {
  return {std::move(name), std::move(label), std::move(unit), Column::Kind::number};
}

Column status_column() { return text_column(std::string(kStatusColumn), "status"); }

void add_estimate_columns(Table& table, const Column& mean) {
  table.columns.push_back(mean);
  table.columns.push_back(number_column(mean.name + "_low", mean.label + ", from", mean.unit));
  table.columns.push_back(number_column(mean.name + "_high", mean.label + ", to", mean.unit));
}

void add_number(std::vector<Cell>& row, std::optional<double> number) {
  row.emplace_back();
  if (number) row.back() = *number;
}

void add_estimate(std::vector<Cell>& row, const std::optional<results::Estimate>& estimate,
                  double scale) {
  const bool scattered = estimate && estimate->half_width;
  std::optional<double> mean;
  std::optional<double> low;
  std::optional<double> high;
  if (estimate) mean = scale * estimate->mean;
  if (scattered) low = scale * estimate->low();
  if (scattered) high = scale * estimate->high();
  for (const auto& number : {mean, low, high}) add_number(row, number);
}

double number_in(const std::vector<Cell>& row, std::size_t column) {
  return std::get<double>(row[column]);
}

std::string text_in(const std::vector<Cell>& row, std::size_t column) {
  return std::get<std::string>(row[column]);
}

std::vector<Series> series_from(const Table& table, const PointColumns& columns) {
  const std::size_t label = table.column(columns.series);
  const std::size_t x = table.column(columns.x);
  const std::size_t y = table.column(columns.y);
  const bool intervals = has_column(table, columns.y + "_low");
  const bool statuses = has_column(table, std::string(kStatusColumn));
  std::vector<std::string> labels;
  std::vector<Series> all;
  for (const auto& row : table.rows) {
    if (!is_number(row, x) || !is_number(row, y)) continue;
    const std::size_t place = place_of(text_in(row, label), labels);
    if (place == all.size()) all.push_back({labels.back(), {}});
    Point point{number_in(row, x), number_in(row, y)};
    if (statuses) point.status = point_status(text_in(row, table.column(kStatusColumn)));
    if (!columns.label.empty()) point.label = text_in(row, table.column(columns.label));
    if (intervals && is_number(row, y + 1))
      point.interval = Interval{number_in(row, y + 1), number_in(row, y + 2)};
    all[place].points.push_back(point);
  }
  return all;
}

void add_stack(const Table& table, const StackColumns& columns, Figure& figure) {
  const std::size_t category = table.column(columns.category);
  const std::size_t layer = table.column(columns.layer);
  const std::size_t height = table.column(columns.height);
  std::vector<std::string> layers;
  for (const auto& row : table.rows) {
    const auto x = static_cast<double>(place_of(text_in(row, category), figure.categories));
    const std::size_t place = place_of(text_in(row, layer), layers);
    if (place == figure.series.size()) figure.series.push_back({layers.back(), {}});
    figure.series[place].points.push_back({x, number_in(row, height)});
  }
  // States that no channel was ever in would only fill the legend.
  std::erase_if(figure.series, [](const Series& series) {
    return std::all_of(series.points.begin(), series.points.end(),
                       [](const Point& point) { return point.y == 0; });
  });
}

Axis axis_of(const Table& table, std::string_view column, bool log) {
  const Column& found = table.columns[table.column(column)];
  return {found.label, found.unit, log};
}

}  // namespace ebb::plots
