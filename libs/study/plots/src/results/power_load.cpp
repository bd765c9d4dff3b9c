// SPDX-License-Identifier: Apache-2.0
#include "results/tables.hpp"

#include <cmath>
#include <map>

namespace ebb::plots {

// Ideal power hardly differs between series at the same load: one line through their means, loads
// told apart by half a percent.
std::vector<Series> ideal_line(const Table& table) {
  if (table.rows.empty()) return {};
  const std::size_t load = table.column("offered_load");
  const std::size_t ideal = table.column("ideal");
  struct Sum {
    double load = 0;
    double ideal = 0;
    double n = 0;
  };
  std::map<long long, Sum> sums;
  for (const auto& row : table.rows) {
    Sum& sum = sums[std::llround(number_in(row, load) * 2)];
    sum.load += number_in(row, load);
    sum.ideal += number_in(row, ideal);
    sum.n += 1;
  }
  Series line{"ideal", {{0, 0}}};
  for (const auto& [key, sum] : sums) line.points.push_back({sum.load / sum.n, sum.ideal / sum.n});
  return {line};
}

Table power_load_table(const RunSet& runs) {
  Table table{.title = "Power of the channels over offered load",
              .note =
                  "100 % is every channel at full rate all the time; ideal is power in "
                  "proportion to what each channel carried."};
  table.columns = {text_column("series", "series"),
                   number_column("offered_load", "offered load", "%")};
  add_estimate_columns(table, number_column("power", "power of always-on", "%"));
  table.columns.push_back(number_column("ideal", "ideal power", "%"));
  table.columns.push_back(number_column("n", "runs", ""));
  table.columns.push_back(status_column());
  for (const Repetitions& experiment : runs.experiments()) {
    const auto power = results::estimate(experiment.group, "power.relative");
    const auto ideal = results::estimate(experiment.group, "power.ideal_relative");
    if (!power || !ideal) continue;
    std::vector<Cell> row = {experiment.series, experiment.offered_load};
    add_estimate(row, power, kPercent);
    row.emplace_back(kPercent * ideal->mean);
    row.emplace_back(static_cast<double>(power->n));
    row.emplace_back(std::string(to_text(experiment.status)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace ebb::plots
