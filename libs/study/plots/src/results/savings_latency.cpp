// SPDX-License-Identifier: Apache-2.0
#include "results/tables.hpp"

#include <algorithm>

namespace ebb::plots {
namespace {

// Added mean latency of each repetition that has an always-on twin, in ps.
std::vector<double> added_latencies(const RunSet& runs, const Repetitions& experiment) {
  std::vector<double> added;
  for (const results::Run* run : experiment.group.runs) {
    const results::Run* twin = runs.always_on(*run);
    const auto latency = run->metric("message_latency.mean");
    const auto before = twin != nullptr ? twin->metric("message_latency.mean") : std::nullopt;
    if (latency && before) added.push_back(*latency - *before);
  }
  return added;
}

std::vector<double> savings(const Repetitions& experiment) {
  std::vector<double> saved;
  for (const results::Run* run : experiment.group.runs)
    if (const auto power = run->metric("power.relative")) saved.push_back(1 - *power);
  return saved;
}

// Absolute latencies and added ones do not belong on one axis.
bool has_baseline(const RunSet& runs) {
  return std::any_of(
      runs.experiments().begin(), runs.experiments().end(),
      [&](const Repetitions& experiment) { return !added_latencies(runs, experiment).empty(); });
}

Table empty_table(bool added) {
  Table table{.title = added ? "Power saved against latency added"
                             : "Power saved against latency (no always-on run to compare with)",
              .note = added ? "Latency over that of the always-on run with the same network, "
                              "traffic and seed; experiments without one are left out."
                            : "Mean latency of messages. With always-on runs of the same traffic "
                              "and seeds in the file this becomes the latency added."};
  table.columns = {text_column("series", "series"),
                   number_column("offered_load", "offered load", "%")};
  add_estimate_columns(
      table, number_column("latency", added ? "added mean latency" : "mean latency", "us"));
  add_estimate_columns(table, number_column("saving", "power saved", "%"));
  table.columns.push_back(number_column("n", "runs", ""));
  table.columns.push_back(text_column("load", "load"));
  table.columns.push_back(status_column());
  return table;
}

}  // namespace

Table savings_latency_table(const RunSet& runs) {
  const bool added = has_baseline(runs);
  Table table = empty_table(added);
  for (const Repetitions& experiment : runs.experiments()) {
    const auto latency = added ? results::estimate(added_latencies(runs, experiment))
                               : results::estimate(experiment.group, "message_latency.mean");
    const auto saving = results::estimate(savings(experiment));
    if (!latency || !saving) continue;
    std::vector<Cell> row = {experiment.series, experiment.offered_load};
    add_estimate(row, latency, kMicrosecond);
    add_estimate(row, saving, kPercent);
    row.emplace_back(static_cast<double>(latency->n));
    row.emplace_back(experiment.load);
    row.emplace_back(std::string(to_text(experiment.status)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace ebb::plots
