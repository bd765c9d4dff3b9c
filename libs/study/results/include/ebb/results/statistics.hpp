// SPDX-License-Identifier: Apache-2.0
//
// Repetitions of one experiment: runs that differ in nothing but the seed.
//
//   for (const Group& group : groups(runs))
//     if (const auto power = estimate(group, "power.relative")) ... power->mean, power->low() ...
#pragma once

#include "ebb/results/run.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace ebb::results {

// Never empty; by seed. Refers to runs of the caller.
struct Group {
  std::vector<const Run*> runs;

  [[nodiscard]] const Run& first() const { return *runs.front(); }
};

// In the order of the first run of each. Failed runs are left out.
[[nodiscard]] std::vector<Group> groups(std::span<const Run> runs);

// A mean and the half width of its 95 % confidence interval after Student. One value says nothing
// about its scatter: then there is no half width.
struct Estimate {
  double mean = 0;
  std::optional<double> half_width;
  std::size_t n = 0;

  [[nodiscard]] double low() const { return mean - half_width.value_or(0); }
  [[nodiscard]] double high() const { return mean + half_width.value_or(0); }
};

[[nodiscard]] std::optional<Estimate> estimate(std::span<const double> values);
// Over the runs of the group that have the metric.
[[nodiscard]] std::optional<Estimate> estimate(const Group& group, std::string_view metric);

}  // namespace ebb::results
