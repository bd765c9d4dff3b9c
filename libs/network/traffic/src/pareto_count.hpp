// SPDX-License-Identifier: Apache-2.0
//
// How many pieces a burst has: N = 1 .. most with P(N >= n) proportional to
// n^-shape - (most+1)^-shape, a Pareto distribution in whole numbers, cut off so that a finite run
// can meet its mean. The probabilities are a table of integers: the mean is that of the table,
// exactly, and draws give the same bits everywhere.
#pragma once

#include "ebb/core/random.hpp"
#include "ebb/units/ratio.hpp"

#include <cstdint>
#include <vector>

namespace ebb::traffic {

class ParetoCount {
 public:
  // `shape` is positive, `most` at least 1.
  ParetoCount(Ratio shape, std::uint32_t most);

  [[nodiscard]] std::uint32_t draw(RandomStream& stream) const;
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] std::uint32_t most() const { return static_cast<std::uint32_t>(at_least_.size()); }

 private:
  std::vector<std::uint64_t> at_least_;  // [n-1]: P(N >= n), of 2^53; descends
  double mean_ = 0;
};

}  // namespace ebb::traffic
