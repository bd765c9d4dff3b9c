// SPDX-License-Identifier: Apache-2.0
//
// Figures of an experiment: bars of what ebb measures beside bars of what the paper printed.
//
//   return {beside_published({.name = "figure-3", .title = "Figure 3: power", .y = {"power", "%"}},
//                            row, measured, {{"target 75 %", "power"}})};
#pragma once

#include "ebb/repro/experiment.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ebb::repro {

// A name that was not measured is a bug of the experiment.
[[nodiscard]] double value_of(const Measurements& measured, std::string_view name);

struct BarOf {
  std::string category;
  std::string name;  // of the measurement, and of the published value if there is one
};

// Adds the bars to a figure that has its title and axes; values are multiplied by `scale`. The
// interval of a published bar is what counts as reproduced.
[[nodiscard]] plots::Figure beside_published(plots::Figure frame, const Row& row,
                                             const Measurements& measured,
                                             const std::vector<BarOf>& bars, double scale = 1);

}  // namespace ebb::repro
