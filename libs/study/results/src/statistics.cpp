// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/statistics.hpp"

#include "ebb/files/document.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace ebb::results {
namespace {

constexpr double kConfidence = 0.95;

// Two-sided.
double student_quantile(std::size_t degrees_of_freedom) {
  const boost::math::students_t distribution(static_cast<double>(degrees_of_freedom));
  return boost::math::quantile(distribution, 1 - (1 - kConfidence) / 2);
}

}  // namespace

std::map<std::string, std::string> configuration_values(const Run& run) {
  std::map<std::string, std::string> values;
  const auto leaves = files::leaves(run.configuration);
  if (!leaves) return {{"(configuration)", run.configuration}};
  for (const files::Leaf& leaf : *leaves) values[leaf.path] = leaf.value;
  return values;
}

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

namespace {

// Runs in which what the metric says is true.
std::size_t runs_with(const Group& group, std::string_view metric) {
  return static_cast<std::size_t>(
      std::count_if(group.runs.begin(), group.runs.end(),
                    [metric](const Run* run) { return run->metric(metric) == 1.0; }));
}

}  // namespace

std::vector<SetupEstimates> setup_estimates(std::span<const Run> runs) {
  std::vector<SetupEstimates> setups;
  for (Group& group : groups(runs)) {
    SetupEstimates setup;
    setup.saturated = runs_with(group, "traffic.saturated");
    setup.too_short = runs_with(group, "traffic.too_short");
    setup.accepted_load = estimate(group, "traffic.accepted_load");
    setup.relative_power = estimate(group, "power.relative");
    setup.packet_latency = estimate(group, "packet_latency.mean");
    setup.packet_latency_p99 = estimate(group, "packet_latency.p99");
    setup.group = std::move(group);
    setups.push_back(std::move(setup));
  }
  return setups;
}

std::vector<std::string> parameter_keys(std::span<const Run> runs) {
  std::vector<std::string> keys;
  for (const Run& run : runs) {
    for (const Parameter& parameter : run.parameters) {
      if (std::find(keys.begin(), keys.end(), parameter.key) == keys.end())
        keys.push_back(parameter.key);
    }
  }
  return keys;
}

std::vector<std::string> column_titles(const std::vector<std::string>& keys) {
  const auto last_word = [](const std::string& key) { return key.substr(key.rfind('.') + 1); };
  std::vector<std::string> titles;
  for (const std::string& key : keys) {
    const auto alike = std::count_if(keys.begin(), keys.end(), [&](const std::string& other) {
      return last_word(other) == last_word(key);
    });
    titles.push_back(alike == 1 ? last_word(key) : key);
  }
  return titles;
}

std::vector<ConfigurationDifference> configuration_differences(const Run& a, const Run& b) {
  const auto left = configuration_values(a);
  auto right = configuration_values(b);
  std::vector<ConfigurationDifference> differences;
  const auto add = [&](const std::string& key, const std::string& x, const std::string& y) {
    if (x != y) differences.push_back({key, x, y});
  };
  add("(version)", a.version, b.version);
  for (const auto& [key, value] : left) add(key, value, right[key]);
  for (const auto& [key, value] : right) {
    if (left.count(key) == 0) add(key, "", value);
  }
  return differences;
}

std::vector<MetricDifference> metric_differences(const Run& a, const Run& b) {
  std::vector<MetricDifference> differences;
  for (const Metric& metric : a.metrics) {
    const auto other = b.metric(metric.name);
    if (other != metric.value)
      differences.push_back({metric.name, metric.unit, metric.value, other});
  }
  for (const Metric& metric : b.metrics) {
    if (!a.metric(metric.name))
      differences.push_back({metric.name, metric.unit, std::nullopt, metric.value});
  }
  return differences;
}

}  // namespace ebb::results
