// SPDX-License-Identifier: Apache-2.0
//
// What to call a run: the parameters in which the runs of a file differ, and no others.
#pragma once

#include "ebb/results/run.hpp"

#include <map>
#include <set>
#include <span>
#include <string>

namespace ebb::plots {

class RunLabels {
 public:
  explicit RunLabels(std::span<const results::Run> runs);

  // "epoch, target=0.5": without the load. Values are those of the resolved configuration, so that
  // a run that was left at the default is called by it.
  [[nodiscard]] std::string series(const results::Run& run) const;
  // "epoch, target=0.5, load=15%": with it, where it was varied.
  [[nodiscard]] std::string label(const results::Run& run) const;

 private:
  // Values by path, of all that somebody set in some run: setting `policy` is setting
  // `policy.name`, `policy.target` and so on.
  using Values = std::map<std::string, std::string>;
  [[nodiscard]] Values values_of(const results::Run& run) const;

  std::set<std::string> set_;     // keys
  std::set<std::string> varied_;  // paths whose values differ among the runs that have them
  bool several_names_ = false;    // the file holds sweeps of different names
};

}  // namespace ebb::plots
