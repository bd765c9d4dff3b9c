// SPDX-License-Identifier: Apache-2.0
#include "least_squares.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

namespace ebb::measurements {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Indices = std::vector<std::size_t>;

constexpr double kZero = 1e-9;         // of the largest singular value
constexpr double kPartInNull = 1e-6;   // of a column of length one
constexpr double kConfidence = 0.975;  // on each side of an interval of 95 %

Index at(std::size_t index) { return static_cast<Index>(index); }

MatrixXd columns_of(const MatrixXd& matrix, const Indices& which) {
  MatrixXd result(matrix.rows(), at(which.size()));
  for (std::size_t i = 0; i < which.size(); ++i) result.col(at(i)) = matrix.col(at(which[i]));
  return result;
}

// The columns, scaled, as a triangle: |X b - y|^2 = |R b - q|^2 + what no b can explain.
struct Triangle {
  MatrixXd r;
  VectorXd q;
};

Triangle triangle_of(const MatrixXd& scaled, const VectorXd& values) {
  MatrixXd both(scaled.rows(), scaled.cols() + 1);
  both << scaled, values;
  const MatrixXd upper = Eigen::HouseholderQR<MatrixXd>(both).matrixQR().topRows(scaled.cols() + 1);
  const MatrixXd triangular = upper.triangularView<Eigen::Upper>();
  const Index n = scaled.cols();
  return {triangular.topLeftCorner(n, n), triangular.col(n).head(n)};
}

// P_ij of the projection onto what the columns cannot tell apart.
MatrixXd null_projection(const MatrixXd& r) {
  const Eigen::JacobiSVD<MatrixXd> svd(r, Eigen::ComputeFullV);
  const VectorXd& singular = svd.singularValues();
  MatrixXd projection = MatrixXd::Zero(r.cols(), r.cols());
  for (Index i = 0; i < r.cols(); ++i) {
    if (singular(i) > kZero * singular(0)) continue;
    projection += svd.matrixV().col(i) * svd.matrixV().col(i).transpose();
  }
  return projection;
}

// Columns that are connected by the projection.
std::vector<Indices> groups_of(const MatrixXd& projection) {
  std::vector<Indices> groups;
  std::vector<bool> seen(static_cast<std::size_t>(projection.cols()), false);
  for (std::size_t first = 0; first < seen.size(); ++first) {
    if (seen[first] || projection(at(first), at(first)) < kPartInNull * kPartInNull) continue;
    Indices group = {first};
    seen[first] = true;
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (std::size_t j = 0; j < seen.size(); ++j) {
        if (seen[j] || std::abs(projection(at(group[i]), at(j))) < kPartInNull) continue;
        seen[j] = true;
        group.push_back(j);
      }
    }
    std::sort(group.begin(), group.end());
    groups.push_back(std::move(group));
  }
  return groups;
}

// As many columns as can be told apart.
Indices independent_columns(const MatrixXd& r) {
  Eigen::ColPivHouseholderQR<MatrixXd> qr(r);
  qr.setThreshold(kZero);
  Indices kept;
  for (Index i = 0; i < qr.rank(); ++i)
    kept.push_back(static_cast<std::size_t>(qr.colsPermutation().indices()(i)));
  std::sort(kept.begin(), kept.end());
  return kept;
}

VectorXd unbounded(const Triangle& triangle) {
  return triangle.r.colPivHouseholderQr().solve(triangle.q);
}

// Non-negative least squares by active sets (Lawson and Hanson, 1974, chapter 23), in which columns
// without a bound are always free.
class BoundedSolver {
 public:
  BoundedSolver(const Triangle& triangle, std::vector<bool> bounded)
      : triangle_(triangle), bounded_(std::move(bounded)) {
    for (const bool has_bound : bounded_) free_.push_back(!has_bound);
    best_ = VectorXd::Zero(triangle_.r.cols());
  }

  VectorXd solve() {
    best_ = solve_free();
    for (std::size_t round = 0; round < kRounds * free_.size(); ++round) {
      const auto next = steepest();
      if (!next) break;
      free_[*next] = true;
      step_until_feasible();
    }
    return best_;
  }
  [[nodiscard]] const std::vector<bool>& is_free() const { return free_; }

 private:
  static constexpr std::size_t kRounds = 5;

  VectorXd solve_free() const {
    Indices which;
    for (std::size_t i = 0; i < free_.size(); ++i) {
      if (free_[i]) which.push_back(i);
    }
    VectorXd result = VectorXd::Zero(triangle_.r.cols());
    if (which.empty()) return result;
    const VectorXd part = unbounded({columns_of(triangle_.r, which), triangle_.q});
    for (std::size_t i = 0; i < which.size(); ++i) result(at(which[i])) = part(at(i));
    return result;
  }

  // The column at its bound that would lower the sum of squares fastest.
  std::optional<std::size_t> steepest() const {
    const VectorXd slope = triangle_.r.transpose() * (triangle_.q - triangle_.r * best_);
    const double least = kZero * triangle_.q.norm();
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < free_.size(); ++i) {
      if (free_[i] || slope(at(i)) <= least) continue;
      if (!found || slope(at(i)) > slope(at(*found))) found = i;
    }
    return found;
  }

  // From the best values so far towards those of the free columns, as far as the bounds allow: the
  // column that gets to its bound first stays there.
  void step_until_feasible() {
    while (true) {
      const VectorXd target = solve_free();
      double share = 1;
      std::optional<std::size_t> first;
      for (std::size_t i = 0; i < free_.size(); ++i) {
        const Index k = at(i);
        if (!free_[i] || !bounded_[i] || target(k) > 0) continue;
        const double way = best_(k) - target(k);
        const double reach = way > 0 ? best_(k) / way : 0;
        if (!first || reach < share) first = i;
        share = std::min(share, reach);
      }
      best_ += share * (target - best_);
      if (!first) return;
      free_[*first] = false;
      best_(at(*first)) = 0;
    }
  }

  const Triangle& triangle_;
  std::vector<bool> bounded_;
  std::vector<bool> free_;
  VectorXd best_;
};

double neighbour_correlation(const VectorXd& residuals) {
  const Index n = residuals.size();
  const double all = residuals.squaredNorm();
  if (n < 2 || all <= 0) return 0;
  return residuals.head(n - 1).dot(residuals.tail(n - 1)) / all;
}

// Andrews (1991), equations 5.3 and 6.4: the bandwidth of the Bartlett kernel for residuals that
// follow their neighbour by `correlation`.
std::size_t neighbours_of(double correlation, Index rows) {
  constexpr double kBartlett = 1.1447;
  constexpr double kMost = 0.97;
  const double rho = std::clamp(correlation, -kMost, kMost);
  const double alpha = 4 * rho * rho / std::pow((1 - rho) * (1 + rho), 2);
  const double bandwidth = kBartlett * std::cbrt(alpha * static_cast<double>(rows));
  return static_cast<std::size_t>(std::min(std::ceil(bandwidth), static_cast<double>(rows) / 4));
}

// As many rows as their correlation leaves (Bayley and Hammersley, 1946), and what the columns
// leave of them.
struct Freedom {
  double rows = 0;
  double rest = 0;
};

Freedom freedom_of(double correlation, Index rows, Index columns) {
  const double rho = std::clamp(correlation, 0.0, 0.99);
  const double independent = static_cast<double>(rows) * (1 - rho) / (1 + rho);
  return {independent, std::max(1.0, independent - static_cast<double>(columns))};
}

// Newey and West (1987): (X^T X)^-1 S (X^T X)^-1 with S the long-run covariance of x e, which is
// smaller than that of the noise by what the columns took of it.
VectorXd standard_errors(const MatrixXd& columns, const VectorXd& residuals, std::size_t neighbours,
                         const Freedom& freedom) {
  const Index rows = columns.rows();
  const MatrixXd scores = columns.array().colwise() * residuals.array();
  MatrixXd between = scores.transpose() * scores;
  for (std::size_t lag = 1; lag <= neighbours; ++lag) {
    const double weight = 1 - static_cast<double>(lag) / (static_cast<double>(neighbours) + 1);
    const MatrixXd shifted =
        scores.bottomRows(rows - at(lag)).transpose() * scores.topRows(rows - at(lag));
    between += weight * (shifted + shifted.transpose());
  }
  const MatrixXd gram = columns.transpose() * columns;
  const MatrixXd inverse = gram.ldlt().solve(MatrixXd::Identity(columns.cols(), columns.cols()));
  const MatrixXd covariance = inverse * between * inverse;
  const double correction = freedom.rows / freedom.rest;
  return (covariance.diagonal() * correction).cwiseMax(0).cwiseSqrt();
}

// The values and intervals of columns that are known to be independent.
class Estimator {
 public:
  Estimator(const MatrixXd& columns, const VectorXd& values, std::vector<bool> bounded)
      : columns_(columns), values_(values), bounded_(std::move(bounded)) {}

  void estimate() {
    const Triangle triangle = triangle_of(columns_, values_);
    BoundedSolver solver(triangle, bounded_);
    best_ = solver.solve();
    is_free_ = solver.is_free();
    residuals_ = values_ - columns_ * best_;
    correlation_ = neighbour_correlation(residuals_);
    neighbours_ = neighbours_of(correlation_, columns_.rows());
    free_half_ = free_half_widths();
    at_bound_high_ = highest_at_bounds(triangle);
  }

  [[nodiscard]] LeastSquares::Column column(std::size_t i) const {
    const double value = best_(at(i));
    if (!is_free_[i]) return {true, true, 0, 0, at_bound_high_(at(i))};
    const double half = free_half_(at(i));
    const double low = bounded_[i] ? std::max(0.0, value - half) : value - half;
    return {true, false, value, low, value + half};
  }
  void give_residuals(LeastSquares& result) const {
    result.residuals = residuals_;
    result.autocorrelation = correlation_;
    result.neighbours = neighbours_;
    result.rank = static_cast<std::size_t>(columns_.cols());
  }

 private:
  [[nodiscard]] VectorXd half_widths(const MatrixXd& columns, const VectorXd& residuals) const {
    const Freedom freedom = freedom_of(correlation_, columns.rows(), columns.cols());
    const double student = quantile(boost::math::students_t(freedom.rest), kConfidence);
    return student * standard_errors(columns, residuals, neighbours_, freedom);
  }

  [[nodiscard]] VectorXd free_half_widths() const {
    Indices which;
    for (std::size_t i = 0; i < is_free_.size(); ++i) {
      if (is_free_[i]) which.push_back(i);
    }
    VectorXd result = VectorXd::Zero(columns_.cols());
    if (which.empty()) return result;
    const VectorXd half = half_widths(columns_of(columns_, which), residuals_);
    for (std::size_t i = 0; i < which.size(); ++i) result(at(which[i])) = half(at(i));
    return result;
  }

  // A value at its bound may be as large as the interval around its value without bounds reaches.
  [[nodiscard]] VectorXd highest_at_bounds(const Triangle& triangle) const {
    if (std::find(is_free_.begin(), is_free_.end(), false) == is_free_.end())
      return VectorXd::Zero(columns_.cols());
    const VectorXd value = unbounded(triangle);
    const VectorXd half = half_widths(columns_, values_ - columns_ * value);
    return (value + half).cwiseMax(0);
  }

  const MatrixXd& columns_;
  const VectorXd& values_;
  std::vector<bool> bounded_;
  VectorXd best_;
  std::vector<bool> is_free_;
  VectorXd residuals_;
  double correlation_ = 0;
  std::size_t neighbours_ = 0;
  VectorXd free_half_;
  VectorXd at_bound_high_;
};

}  // namespace

std::optional<LeastSquares> least_squares(const MatrixXd& rows, const VectorXd& values,
                                          const std::vector<bool>& bounded) {
  LeastSquares result;
  result.columns.resize(bounded.size());
  Indices used;
  for (std::size_t i = 0; i < bounded.size(); ++i) {
    (rows.col(at(i)).norm() > 0 ? used : result.zero).push_back(i);
  }
  if (rows.rows() <= at(used.size()) || used.empty()) return std::nullopt;
  MatrixXd scaled = columns_of(rows, used);
  const VectorXd lengths = scaled.colwise().norm();
  scaled.array().rowwise() /= lengths.transpose().array();
  const Triangle triangle = triangle_of(scaled, values);

  std::vector<bool> is_told(used.size(), true);
  for (const Indices& group : groups_of(null_projection(triangle.r))) {
    Indices& named = result.groups.emplace_back();
    for (const std::size_t i : group) {
      is_told[i] = false;
      named.push_back(used[i]);
    }
  }
  const Indices kept = independent_columns(triangle.r);
  std::vector<bool> kept_bounded;
  for (const std::size_t i : kept) kept_bounded.push_back(bounded[used[i]]);
  const MatrixXd independent = columns_of(scaled, kept);
  Estimator estimator(independent, values, kept_bounded);
  estimator.estimate();
  estimator.give_residuals(result);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!is_told[kept[i]]) continue;
    LeastSquares::Column column = estimator.column(i);
    const double length = lengths(at(kept[i]));
    column.value /= length;
    column.low /= length;
    column.high /= length;
    result.columns[used[kept[i]]] = column;
  }
  return result;
}

Residuals residuals_of(const LeastSquares& squares, const Eigen::VectorXd& values) {
  Residuals result;
  const double sum = squares.residuals.squaredNorm();
  const auto freedom = static_cast<double>(values.size()) - static_cast<double>(squares.rank);
  result.rms = std::sqrt(sum / freedom);
  result.largest = squares.residuals.cwiseAbs().maxCoeff();
  const double around_mean = (values.array() - values.mean()).square().sum();
  if (around_mean > 0) result.r_squared = 1 - sum / around_mean;
  result.autocorrelation = squares.autocorrelation;
  result.neighbours = squares.neighbours;
  return result;
}

}  // namespace ebb::measurements
