// SPDX-License-Identifier: Apache-2.0
//
// The tables of result_figures(), and how figures are made of tables.
#pragma once

#include "ebb/plots/figure.hpp"
#include "ebb/plots/result_figures.hpp"
#include "ebb/results/statistics.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::plots {

[[nodiscard]] Table power_load_table(const RunSet& runs);
[[nodiscard]] std::vector<Series> ideal_line(const Table& table);  // of that table
[[nodiscard]] Table latency_load_table(const RunSet& runs);
[[nodiscard]] Table state_time_table(const RunSet& runs);
[[nodiscard]] Table latency_cdf_table(const RunSet& runs);
[[nodiscard]] Table savings_latency_table(const RunSet& runs);
[[nodiscard]] Table energy_parts_table(const RunSet& runs);
[[nodiscard]] Table critical_path_table(const RunSet& runs);

// What the tables of results have in common: columns of an estimate, and reading a table back as
// series of points.

inline constexpr double kMicrosecond = 1e-6;  // in picoseconds, as latencies are stored
inline constexpr double kPercent = 100;

[[nodiscard]] Column text_column(std::string name, std::string label);
[[nodiscard]] Column number_column(std::string name, std::string label, std::string unit);
[[nodiscard]] Column status_column();

// Three columns: the mean as `name`, and the ends of its confidence interval as `name`_low, _high.
void add_estimate_columns(Table& table, const Column& mean);
void add_number(std::vector<Cell>& row, std::optional<double> number);
// Their cells; nothing for the ends when there was one repetition only.
void add_estimate(std::vector<Cell>& row, const std::optional<results::Estimate>& estimate,
                  double scale);

[[nodiscard]] double number_in(const std::vector<Cell>& row, std::size_t column);
[[nodiscard]] std::string text_in(const std::vector<Cell>& row, std::size_t column);

// Which columns are points. `y` has _low and _high beside it where the table has them.
struct PointColumns {
  std::string series;
  std::string x;
  std::string y;
  std::string label = {};  // empty: points have none
};

// One series per text of the series column, in the order of their first rows. Rows without x or y
// are left out.
[[nodiscard]] std::vector<Series> series_from(const Table& table, const PointColumns& columns);

// Bars: a category per text of `category`, a layer per text of `layer`, both in order of first
// appearance.
struct StackColumns {
  std::string category;
  std::string layer;
  std::string height;
};
void add_stack(const Table& table, const StackColumns& columns, Figure& figure);

[[nodiscard]] Axis axis_of(const Table& table, std::string_view column, bool log = false);

}  // namespace ebb::plots
