// SPDX-License-Identifier: Apache-2.0
//
// What tables of runs show. Repetitions of one experiment, runs that differ in nothing but the
// seed, are one line with means and confidence intervals. Two runs are compared key by key.
//
//   for (const Group& group : groups(runs))
//     if (const auto power = estimate(group, "power.relative")) ... power->mean, power->low() ...
#pragma once

#include "ebb/results/run.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
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

// One line of the summary of a sweep.
struct SetupEstimates {
  Group group;
  std::size_t saturated = 0;  // runs in which the offered load was more than the network carries
  std::size_t too_short = 0;  // runs that were too short for their messages to tell
  std::optional<Estimate> accepted_load;
  std::optional<Estimate> relative_power;
  std::optional<Estimate> packet_latency;  // ps
  std::optional<Estimate> packet_latency_p99;
};
[[nodiscard]] std::vector<SetupEstimates> setup_estimates(std::span<const Run> runs);

// The keys that some run has, in the order in which they are met.
[[nodiscard]] std::vector<std::string> parameter_keys(std::span<const Run> runs);
// Parameter keys as titles: the last word of each, or all of it where that would be ambiguous.
[[nodiscard]] std::vector<std::string> column_titles(const std::vector<std::string>& keys);

// The configuration of a run as values by key: "policy.target" -> "0.5".
[[nodiscard]] std::map<std::string, std::string> configuration_values(const Run& run);

// A key of the configuration in which two runs differ. Empty: the run has no such key.
struct ConfigurationDifference {
  std::string key;  // "(version)" for the version of ebb
  std::string a;
  std::string b;

  bool operator==(const ConfigurationDifference&) const = default;
};
[[nodiscard]] std::vector<ConfigurationDifference> configuration_differences(const Run& a,
                                                                             const Run& b);

struct MetricDifference {
  std::string name;
  std::string unit;
  std::optional<double> a;  // none: the run has no such metric
  std::optional<double> b;

  bool operator==(const MetricDifference&) const = default;
};
[[nodiscard]] std::vector<MetricDifference> metric_differences(const Run& a, const Run& b);

}  // namespace ebb::results
