// SPDX-License-Identifier: Apache-2.0
#include "results/tables.hpp"

namespace ebb::plots {

Table latency_load_table(const RunSet& runs) {
  Table table{.title = "Message latency over offered load",
              .note =
                  "From creation to the last bit at the destination. Saturated: the share of the "
                  "runs in which the network was beyond its capacity, so that latency grows "
                  "with the length of the run."};
  table.columns = {text_column("series", "series"),
                   number_column("offered_load", "offered load", "%")};
  add_estimate_columns(table, number_column("mean", "mean latency", "us"));
  add_estimate_columns(table, number_column("p99", "99th percentile", "us"));
  table.columns.push_back(number_column("saturated", "saturated", "%"));
  table.columns.push_back(number_column("n", "runs", ""));
  table.columns.push_back(status_column());
  for (const Repetitions& experiment : runs.experiments()) {
    const auto mean = results::estimate(experiment.group, "message_latency.mean");
    if (!mean) continue;
    const auto saturated = results::estimate(experiment.group, "traffic.saturated");
    std::vector<Cell> row = {experiment.series, experiment.offered_load};
    add_estimate(row, mean, kMicrosecond);
    add_estimate(row, results::estimate(experiment.group, "message_latency.p99"), kMicrosecond);
    row.emplace_back(kPercent * saturated.value_or(results::Estimate{}).mean);
    row.emplace_back(static_cast<double>(mean->n));
    row.emplace_back(std::string(to_text(experiment.status)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace ebb::plots
