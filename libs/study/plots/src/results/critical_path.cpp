// SPDX-License-Identifier: Apache-2.0
#include "results/tables.hpp"

#include <utility>

namespace ebb::plots {
namespace {

struct PathPart {
  std::string name;
  std::string metric;
};

const std::vector<PathPart>& path_parts() {
  static const std::vector<PathPart> kParts = {
      {"computing", "path.computing"},       {"overhead of CPUs", "path.overhead"},
      {"transmission", "path.transmission"}, {"waking of links", "path.waking"},
      {"slower rates", "path.slower"},       {"queueing", "path.queueing"}};
  return kParts;
}

}  // namespace

Table critical_path_table(const RunSet& runs) {
  Table table{.title = "Critical path of the job",
              .note =
                  "What made it as long as it is: parts that follow one another from its start to "
                  "its end. Of several jobs the longest. Runs without jobs are left out."};
  table.columns = {text_column("experiment", "experiment"), text_column("series", "series"),
                   text_column("part", "part")};
  add_estimate_columns(table, number_column("time", "time", "us"));
  table.columns.push_back(number_column("n", "runs", ""));
  for (const Repetitions& experiment : runs.experiments()) {
    for (const PathPart& part : path_parts()) {
      const auto time = results::estimate(experiment.group, part.metric);
      if (!time || time->mean == 0) continue;
      std::vector<Cell> row = {experiment.label, experiment.series, part.name};
      add_estimate(row, time, kMicrosecond);
      row.emplace_back(static_cast<double>(time->n));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace ebb::plots
