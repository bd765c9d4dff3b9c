// SPDX-License-Identifier: Apache-2.0
//
// A figure of any table: one column across, others up.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/plots/figure.hpp"

#include <string>
#include <vector>

namespace ebb::plots {

struct ColumnChoice {
  std::string x;
  std::vector<std::string> y;
  bool log_x = false;
  bool log_y = false;
};

// Lines with points, one per column of y; cells without a number are left out. All mistakes at
// once: unknown columns, columns of words, nothing above zero for a logarithm.
[[nodiscard]] Result<Figure> column_figure(const Table& table, const ColumnChoice& choice);

}  // namespace ebb::plots
