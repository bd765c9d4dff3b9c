// SPDX-License-Identifier: Apache-2.0
//
// What to call a run: the parameters in which the runs of a file differ, and no others.
//
//   const RunLabels labels(runs);
//   labels.series(run);                                      // "epoch, target=0.5"
//   for (const std::string& path : labels.varied()) ... labels.value(run, path) ...
#pragma once

#include "ebb/results/run.hpp"

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace ebb::results {

class RunLabels {
 public:
  explicit RunLabels(std::span<const Run> runs);

  // "epoch, target=0.5": without the load. Values are those of the resolved configuration, so that
  // a run that was left at the default is called by it.
  [[nodiscard]] std::string series(const Run& run) const;
  // "epoch, target=0.5, load=15%": with it, where it was varied.
  [[nodiscard]] std::string label(const Run& run) const;

  // Keys of the configuration whose values differ, in the order in which they were set; a table
  // has a column for each. Setting `policy` is setting `policy.name`, `policy.target` and so on.
  [[nodiscard]] const std::vector<std::string>& varied() const { return varied_; }
  // As it was written where the run set it, else as resolved; empty when the run has no such key.
  [[nodiscard]] std::string value(const Run& run, const std::string& path) const;

 private:
  // Values by path, of all that somebody set in some run.
  using Values = std::map<std::string, std::string>;
  [[nodiscard]] Values values_of(const Run& run) const;
  [[nodiscard]] bool is_varied(const std::string& path) const;

  std::vector<std::string> set_;     // keys, in the order in which they are met
  std::vector<std::string> varied_;  // paths
  bool several_names_ = false;       // the file holds sweeps of different names
};

// Paths as titles of columns: "policy" for policy.name, "load" for traffic.injection.load.
[[nodiscard]] std::vector<std::string> varied_titles(const std::vector<std::string>& paths);

}  // namespace ebb::results
