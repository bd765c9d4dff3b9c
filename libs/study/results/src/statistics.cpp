// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <numeric>

namespace ebb::results {
namespace {

constexpr double kConfidence = 0.95;

// Two-sided.
double student_quantile(std::size_t degrees_of_freedom) {
  const boost::math::students_t distribution(static_cast<double>(degrees_of_freedom));
  return boost::math::quantile(distribution, 1 - (1 - kConfidence) / 2);
}

}  // namespace

std::vector<Group> groups(std::span<const Run> runs) {
  std::vector<Group> groups;
  std::map<std::string_view, std::size_t> place;
  for (const Run& run : runs) {
    if (run.status != Status::done) continue;
    const auto [at, is_new] = place.emplace(run.setup, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].runs.push_back(&run);
  }
  for (Group& group : groups) {
    std::stable_sort(group.runs.begin(), group.runs.end(),
                     [](const Run* a, const Run* b) { return a->seed < b->seed; });
  }
  return groups;
}

std::optional<Estimate> estimate(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  Estimate result{.mean = mean, .half_width = std::nullopt, .n = values.size()};
  if (values.size() == 1) return result;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  result.half_width = student_quantile(values.size() - 1) * std::sqrt(squares / (n - 1) / n);
  return result;
}

std::optional<Estimate> estimate(const Group& group, std::string_view metric) {
  std::vector<double> values;
  for (const Run* run : group.runs) {
    if (const auto value = run->metric(metric)) values.push_back(*value);
  }
  return estimate(values);
}

}  // namespace ebb::results
