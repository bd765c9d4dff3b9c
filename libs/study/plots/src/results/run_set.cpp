// SPDX-License-Identifier: Apache-2.0
#include "results/run_filter.hpp"

#include "ebb/core/check.hpp"
#include "ebb/plots/result_figures.hpp"
#include "ebb/results/labels.hpp"
#include "ebb/results/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

namespace ebb::plots {
namespace {

struct SplitConfiguration {
  std::string rest;    // everything but the policy
  std::string policy;  // its section
};

// The resolved text has one section per key that begins a line; continued lines are indented.
SplitConfiguration split(std::string_view configuration) {
  SplitConfiguration split;
  bool in_policy = false;
  while (!configuration.empty()) {
    const auto end = std::min(configuration.find('\n'), configuration.size() - 1) + 1;
    const std::string_view line = configuration.substr(0, end);
    configuration.remove_prefix(end);
    if (!line.starts_with(' ')) in_policy = line.starts_with("policy:");
    (in_policy ? split.policy : split.rest) += line;
  }
  return split;
}

// Two experiments of one name, such as versions of an edited file, get the beginning of their keys.
void tell_apart(std::vector<Repetitions>& experiments) {
  std::map<std::string, int> uses;
  for (const Repetitions& experiment : experiments) ++uses[experiment.label];
  for (Repetitions& experiment : experiments) {
    if (uses[experiment.label] == 1) continue;
    const std::string mark = " (" + experiment.group.first().setup.substr(0, 8) + ")";
    experiment.series += mark;
    experiment.label += mark;
  }
}

bool stands_before_experiment(const Repetitions& a, const Repetitions& b) {
  if (a.series != b.series) return results::natural_less(a.series, b.series);
  return a.offered_load < b.offered_load;
}

// What makes a run doubtful, the worst first.
PointStatus status_of(const results::Group& group) {
  const auto any = [&](std::string_view metric) {
    return std::any_of(group.runs.begin(), group.runs.end(), [&](const results::Run* run) {
      return run->metric(metric).value_or(0) > 0;
    });
  };
  if (any("traffic.saturated")) return PointStatus::saturated;
  if (any("traffic.too_short")) return PointStatus::too_short;
  return PointStatus::fine;
}

std::string load_text(const results::Run& run, double measured) {
  const auto load = results::load_of(run);
  return load ? load->value : fmt::format("{:.2g}%", measured);
}

std::vector<Repetitions> experiments_of(const std::vector<results::Run>& runs) {
  const results::RunLabels labels(runs);
  std::vector<Repetitions> experiments;
  for (results::Group& group : results::groups(runs)) {
    const auto load = results::estimate(group, "traffic.offered_load");
    if (!load) continue;
    const results::Run& first = group.first();
    const PointStatus status = status_of(group);
    experiments.push_back({std::move(group), labels.series(first), labels.label(first),
                           100 * load->mean, load_text(first, 100 * load->mean), status});
  }
  tell_apart(experiments);
  std::stable_sort(experiments.begin(), experiments.end(), stands_before_experiment);
  return experiments;
}

}  // namespace

Result<RunSet> RunSet::read(const results::Store& store, const std::vector<RunFilter>& filters) {
  auto runs = store.runs();
  if (!runs) return fail(runs.error());
  RunSet set;
  set.all_ = std::move(*runs);
  auto chosen = passing(set.all_, filters);
  if (!chosen) return fail(chosen.error());
  set.runs_ = std::move(*chosen);
  for (const results::Run& run : set.runs_) {
    auto histograms = store.histograms(run.id);
    if (!histograms) return fail(histograms.error());
    auto residency = store.residency(run.id);
    if (!residency) return fail(residency.error());
    results::Record& record = set.records_[run.id];
    record.histograms = std::move(*histograms);
    record.residency = std::move(*residency);
  }
  for (const results::Run& run : set.all_) {
    const SplitConfiguration configuration = split(run.configuration);
    const bool always_on = configuration.policy.find("name: always-on") != std::string::npos;
    if (always_on && run.status == results::Status::done)
      set.baselines_.emplace(configuration.rest, &run);
  }
  set.experiments_ = experiments_of(set.runs_);
  return set;
}

const results::Record& RunSet::record(const results::Run& run) const {
  const auto found = records_.find(run.id);
  EBB_CHECK(found != records_.end(), "a run of another file");
  return found->second;
}

const results::Run* RunSet::always_on(const results::Run& run) const {
  const auto found = baselines_.find(split(run.configuration).rest);
  return found == baselines_.end() ? nullptr : found->second;
}

}  // namespace ebb::plots
