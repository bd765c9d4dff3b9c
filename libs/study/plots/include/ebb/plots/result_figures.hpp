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
  std::string series;       // what was varied besides the load: one curve
  std::string label;        // the same with the load: one bar
  double offered_load = 0;  // in percent, mean over the repetitions
};

class RunSet {
 public:
  [[nodiscard]] static Result<RunSet> read(const results::Store& store);

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

  std::vector<results::Run> runs_;
  std::vector<Repetitions> experiments_;
  std::map<std::int64_t, results::Record> records_;       // by run id, without channels and series
  std::map<std::string, const results::Run*> baselines_;  // by configuration without its policy
};

struct ResultFigure {
  std::string name;     // "power-load"
  std::string summary;  // one line
  Table (*table)(const RunSet& runs) = nullptr;
  Figure (*draw)(const Table& table) = nullptr;  // from the table alone
};

[[nodiscard]] std::span<const ResultFigure> result_figures();
[[nodiscard]] Result<const ResultFigure*> find_result_figure(std::string_view name);

}  // namespace ebb::plots
