// SPDX-License-Identifier: Apache-2.0
//
// Least squares with bounds, for some ten columns and any number of rows: which columns can be told
// apart, the best values, and intervals that allow for residuals that are correlated in time.
//
// Columns are scaled to length one. With the singular value decomposition R = U S V^T of their
// triangular factor, a column can be told from the others when it has no part in the columns of V
// whose singular values are zero to working precision.
#pragma once

#include "ebb/measurements/fit.hpp"

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <vector>

namespace ebb::measurements {

struct LeastSquares {
  struct Column {
    bool identified = false;
    bool at_bound = false;
    double value = 0;
    double low = 0;  // of 95 %
    double high = 0;
  };
  std::vector<Column> columns;
  std::vector<std::vector<std::size_t>> groups;  // that cannot be told apart
  std::vector<std::size_t> zero;                 // columns of nothing but zeros
  Eigen::VectorXd residuals;
  std::size_t rank = 0;
  double autocorrelation = 0;
  std::size_t neighbours = 0;
};

// Rows are in the order of time. `bounded` columns are not negative. Nothing when there are no more
// rows than columns.
[[nodiscard]] std::optional<LeastSquares> least_squares(const Eigen::MatrixXd& rows,
                                                        const Eigen::VectorXd& values,
                                                        const std::vector<bool>& bounded);

// Of the fit to these values.
[[nodiscard]] Residuals residuals_of(const LeastSquares& squares, const Eigen::VectorXd& values);

}  // namespace ebb::measurements
