// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/check.hpp"
#include "ebb/files/document.hpp"
#include "ebb/plots/result_figures.hpp"
#include "ebb/results/run.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace ebb::plots {
namespace {

// What to call a run: the parameters in which the runs of a file differ, and no others.
class RunLabels {
 public:
  explicit RunLabels(std::span<const results::Run> runs);

  // "epoch, target=0.5": without the load. Values are those of the resolved configuration, so that
  // a run that was left at the default is called by it.
  [[nodiscard]] std::string series(const results::Run& run) const;
  // "epoch, target=0.5, load=15%": with it, where it was varied.
  [[nodiscard]] std::string label(const results::Run& run) const;

 private:
  // Values by path, of all that somebody set in some run: setting `policy` is setting
  // `policy.name`, `policy.target` and so on.
  using Values = std::map<std::string, std::string>;
  [[nodiscard]] Values values_of(const results::Run& run) const;

  std::set<std::string> set_;     // keys
  std::set<std::string> varied_;  // paths whose values differ among the runs that have them
  bool several_names_ = false;    // the file holds sweeps of different names
};

bool lies_in(std::string_view path, std::string_view key) {
  return path == key || (path.starts_with(key) && path[key.size()] == '.');
}

// A name speaks for itself: "epoch", not "name=epoch".
std::string text_of(const std::string& path, const std::string& value) {
  const std::string word = path.substr(path.rfind('.') + 1);
  return word == "name" || word == path ? value : word + "=" + value;
}

RunLabels::RunLabels(std::span<const results::Run> runs) {
  std::map<std::string, std::set<std::string>> values;
  for (const results::Run& run : runs) {
    several_names_ = several_names_ || run.label != runs.front().label;
    for (const results::Parameter& parameter : run.parameters) set_.insert(parameter.key);
  }
  for (const results::Run& run : runs)
    for (auto& [path, value] : values_of(run)) values[path].insert(value);
  for (const auto& [path, known] : values)
    if (known.size() > 1) varied_.insert(path);
}

RunLabels::Values RunLabels::values_of(const results::Run& run) const {
  Values values;
  const auto leaves = files::leaves(run.configuration);
  if (!leaves) return values;  // a file of another program; the runs are told apart by their keys
  for (const files::Leaf& leaf : *leaves) {
    const bool was_set = std::any_of(
        set_.begin(), set_.end(), [&](const std::string& key) { return lies_in(leaf.path, key); });
    if (was_set) values.emplace(leaf.path, leaf.value);
  }
  return values;
}

std::string RunLabels::series(const results::Run& run) const {
  std::string text = several_names_ ? run.label : "";
  std::string words;  // names first: "epoch, target=0.5"
  std::string rest;
  for (const auto& [path, value] : values_of(run)) {
    if (results::is_load(path) || !varied_.contains(path)) continue;
    std::string& part = text_of(path, value) == value ? words : rest;
    part += ", " + text_of(path, value);
  }
  text += words + rest;
  if (text.starts_with(", ")) text.erase(0, 2);
  return text.empty() ? run.label : text;
}

std::string RunLabels::label(const results::Run& run) const {
  const auto load = results::load_of(run);
  const std::string text = series(run);
  return load && varied_.contains(load->key) ? text + ", load=" + load->value : text;
}

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

std::vector<Repetitions> experiments_of(const std::vector<results::Run>& runs) {
  const RunLabels labels(runs);
  std::vector<Repetitions> experiments;
  for (results::Group& group : results::groups(runs)) {
    const auto load = results::estimate(group, "traffic.offered_load");
    if (!load) continue;
    const results::Run& first = group.first();
    experiments.push_back(
        {std::move(group), labels.series(first), labels.label(first), 100 * load->mean});
  }
  tell_apart(experiments);
  std::stable_sort(experiments.begin(), experiments.end(), stands_before_experiment);
  return experiments;
}

}  // namespace

Result<RunSet> RunSet::read(const results::Store& store) {
  auto runs = store.runs();
  if (!runs) return fail(runs.error());
  RunSet set;
  set.runs_ = std::move(*runs);
  for (const results::Run& run : set.runs_) {
    auto histograms = store.histograms(run.id);
    if (!histograms) return fail(histograms.error());
    auto residency = store.residency(run.id);
    if (!residency) return fail(residency.error());
    results::Record& record = set.records_[run.id];
    record.histograms = std::move(*histograms);
    record.residency = std::move(*residency);
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
