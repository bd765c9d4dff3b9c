// SPDX-License-Identifier: Apache-2.0
//
// The figures that are made of a results file: `ebb plot` draws them, the report shows them and
// their tables. A figure sees a file as a RunSet: repetitions (runs that differ only in the seed)
// together, and a label for what distinguishes one experiment from the others. Adding a figure: a
// file in src/results, its declaration in src/results/tables.hpp, a line in result_figures().
//
//   const auto runs = RunSet::read(store);
//   for (const ResultFigure& known : result_figures()) to_json(known.table(*runs));
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/plots/figure.hpp"
#include "ebb/results/run.hpp"
#include "ebb/results/statistics.hpp"
#include "ebb/results/store.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::plots {

// Repetitions of one experiment.
struct Repetitions {
  results::Group group;
  std::string series;                      // what was varied besides the load: one curve
  std::string label;                       // the same with the load: one bar
  double offered_load = 0;                 // in percent, mean over the repetitions
  std::string load;                        // as it was set, else as measured: "20%"
  PointStatus status = PointStatus::fine;  // the worst of the repetitions
};

// Which runs of a file to look at: those whose configuration has the value at the key.
struct RunFilter {
  std::string key;  // "policy.target", its last word, or "policy" for the name of the policy
  std::string value;
};
// Of "KEY=VALUE".
[[nodiscard]] Result<RunFilter> run_filter(std::string_view text);

class RunSet {
 public:
  // The runs that pass every filter. Always-on runs to compare with are found among all.
  [[nodiscard]] static Result<RunSet> read(const results::Store& store,
                                           const std::vector<RunFilter>& filters = {});

  RunSet(RunSet&&) = default;
  RunSet& operator=(RunSet&&) = default;
  RunSet(const RunSet&) = delete;  // groups refer to the runs
  RunSet& operator=(const RunSet&) = delete;
  ~RunSet() = default;

  // By series, then by load.
  [[nodiscard]] const std::vector<Repetitions>& experiments() const { return experiments_; }
  [[nodiscard]] const results::Record& record(const results::Run& run) const;

  // The run with the same network, traffic and seed whose channels always ran at full rate; null
  // when there is none.
  [[nodiscard]] const results::Run* always_on(const results::Run& run) const;

 private:
  RunSet() = default;

  std::vector<results::Run> all_;   // of the file
  std::vector<results::Run> runs_;  // that pass the filters
  std::vector<Repetitions> experiments_;
  std::map<std::int64_t, results::Record> records_;       // by run id, without channels and series
  std::map<std::string, const results::Run*> baselines_;  // by configuration without its policy
};

// What is drawn of a table, by the names of its columns. `ebb plot` makes a figure of it, and the
// page of `ebb report` draws by it.
struct Drawing {
  struct Curve {
    std::string column;  // with its _low and _high where the table has them
    std::string label;   // where a series has several
  };
  Kind kind = Kind::lines;
  std::string group;          // a line, or a bar, for each text of this column
  std::string x;              // of lines and points
  std::vector<Curve> curves;  // up; of bars the one that is their height
  std::string layer = {};     // of stacked bars: a part for each text of this column
  std::string y_label = {};   // of several curves; else that of the column
  bool log_x = false;
  bool log_y = false;
  std::string label = {};  // a text beside each point
};

// Columns by these names, where a table has them, are of every figure.
inline constexpr std::string_view kStatusColumn = "status";  // texts of PointStatus

struct ResultFigure {
  std::string name;     // "power-load"
  std::string summary;  // one line
  Table (*table)(const RunSet& runs) = nullptr;
  Drawing drawing;
  std::vector<Series> (*references)(const Table& table) = nullptr;  // null: none
};

[[nodiscard]] Figure figure_of(const ResultFigure& known, const Table& table);

[[nodiscard]] std::span<const ResultFigure> result_figures();
[[nodiscard]] Result<const ResultFigure*> find_result_figure(std::string_view name);

}  // namespace ebb::plots
