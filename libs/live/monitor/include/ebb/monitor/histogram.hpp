// SPDX-License-Identifier: Apache-2.0
//
// Counts of values by upper bounds that are fixed from the start.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace ebb::monitor {

class Histogram {
 public:
  // Ascending. What exceeds the last is counted beyond all.
  explicit Histogram(std::vector<double> bounds)
      : bounds_(std::move(bounds)), counts_(bounds_.size() + 1) {}

  void add(double value) {
    const auto at = std::lower_bound(bounds_.begin(), bounds_.end(), value);
    ++counts_[static_cast<std::size_t>(at - bounds_.begin())];
    sum_ += value;
  }

  [[nodiscard]] const std::vector<double>& bounds() const { return bounds_; }
  // One more than there are bounds; not cumulative.
  [[nodiscard]] const std::vector<std::uint64_t>& counts() const { return counts_; }
  [[nodiscard]] double sum() const { return sum_; }

 private:
  std::vector<double> bounds_;
  std::vector<std::uint64_t> counts_;
  double sum_ = 0;
};

// Seconds, from half a millisecond to ten: what a switch or a loop may take.
[[nodiscard]] inline Histogram seconds_histogram() {
  return Histogram(
      {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10});
}

}  // namespace ebb::monitor
