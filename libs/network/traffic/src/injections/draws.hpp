// SPDX-License-Identifier: Apache-2.0
//
// What injections and services draw: the span between messages, the size of a burst, and the
// parameters that all injections share.
#pragma once

#include "ebb/core/random.hpp"
#include "ebb/core/result.hpp"
#include "ebb/traffic/injection.hpp"
#include "ebb/units/quantity.hpp"

#include <cstdint>
#include <vector>

namespace ebb::traffic {

// For the parameter tables. `least` is the smallest load the injection is meant for.
[[nodiscard]] Parameter load_parameter(Ratio least);
[[nodiscard]] Parameter size_parameter(std::string help);
[[nodiscard]] Parameter spread_parameter();

// Picoseconds that are not negative, to the nearest.
[[nodiscard]] inline Duration rounded(double picoseconds) {
  const auto whole = static_cast<std::int64_t>(picoseconds);
  return Duration(picoseconds - static_cast<double>(whole) < 0.5 ? whole : whole + 1);
}

// A span of size / (load * rate), exactly: whole picoseconds and a fraction of 128-bit integers.
class Interval {
 public:
  // Of the mean gap between messages. Refuses loads with a denominator above 10^9, which could
  // overflow, and gaps above an hour, whose exponential multiples would not fit into time.
  [[nodiscard]] static Result<Interval> mean_gap(DataSize size, Ratio load, DataRate rate);

  // One interval on.
  void step(Progress& progress) const {
    progress.at += Duration(whole_);
    progress.part += part_;
    if (progress.part >= of_) {
      progress.part -= of_;
      progress.at += Duration(1);
    }
  }

  // A whole number of picoseconds in [0, spread * whole), each equally likely; 0 if that range is
  // empty.
  [[nodiscard]] Progress phase(Ratio spread, RandomStream& stream) const;

  // Exponential with this mean, rounded to the nearest picosecond.
  [[nodiscard]] Duration exponential(RandomStream& stream) const {
    return rounded(stream.exponential() * picoseconds());
  }

  [[nodiscard]] double picoseconds() const;

 private:
  Interval(std::int64_t whole, Int128 part, Int128 of) : whole_(whole), part_(part), of_(of) {}

  std::int64_t whole_;
  Int128 part_;  // whole_ + part_ / of_, 0 <= part_ < of_ < 2^93
  Int128 of_;
};

// How many pieces a burst has: N = 1 .. most with P(N >= n) proportional to
// n^-shape - (most+1)^-shape, a Pareto distribution in whole numbers, cut off so that a finite run
// can meet its mean. The probabilities are a table of integers: the mean is that of the table,
// exactly, and draws give the same bits everywhere.
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
