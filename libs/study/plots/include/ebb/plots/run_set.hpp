// SPDX-License-Identifier: Apache-2.0
//
// The runs of a results file as figures see them: repetitions (runs that differ only in the seed)
// together, and a label for what distinguishes one experiment from the others.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/results/run.hpp"
#include "ebb/results/statistics.hpp"
#include "ebb/results/store.hpp"

#include <cstdint>
#include <map>
#include <string>
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

}  // namespace ebb::plots
