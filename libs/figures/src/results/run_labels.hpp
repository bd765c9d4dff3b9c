// SPDX-License-Identifier: Apache-2.0
//
// What to call a run: the parameters in which the runs of a file differ.
#pragma once

#include "ebb/results/run.hpp"

#include <set>
#include <span>
#include <string>
#include <string_view>

namespace ebb::figures {

inline constexpr std::string_view kLoadKey = "traffic.injection.load";

// Keys whose value is not the same in all runs.
[[nodiscard]] std::set<std::string> varied_keys(std::span<const results::Run> runs);

class RunLabels {
 public:
  explicit RunLabels(std::span<const results::Run> runs);

  // "epoch, target=50%": without the load.
  [[nodiscard]] std::string series(const results::Run& run) const;
  // "epoch, target=50%, load=15%": with it, where it was varied.
  [[nodiscard]] std::string label(const results::Run& run) const;

 private:
  std::set<std::string> varied_;
  bool several_names_ = false;  // the file holds sweeps of different names
};

}  // namespace ebb::figures
