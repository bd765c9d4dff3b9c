// SPDX-License-Identifier: Apache-2.0
#include "ebb/repro/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::repro {
namespace {

Outcome outcome_of(const Published& published, const Measurements& measured) {
  const auto number = std::find_if(measured.begin(), measured.end(), [&](const auto& entry) {
    return entry.first == published.name;
  });
  if (number == measured.end()) return {published, 0, Verdict::not_measured};
  return {published, number->second, judge(published, number->second)};
}

}  // namespace

std::string cost_text(Cost cost) {
  switch (cost) {
    case Cost::computed:
      return "computed";
    case Cost::simulated:
      return "simulated";
    case Cost::lengthy:
      return "lengthy";
  }
  return "";
}

const Experiment* find_experiment(std::string_view id) {
  const auto all = experiments();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Experiment& e) { return e.id == id; });
  return found == all.end() ? nullptr : &*found;
}

Result<Finding> run(const Row& row, Lab& lab) {
  const Experiment* experiment = find_experiment(row.id);
  if (experiment == nullptr) return fail(fmt::format("{} has no experiment yet", row.id));
  static_cast<void>(lab.take_seeds());
  const auto measured = experiment->measure(lab);
  if (!measured) return fail(measured.error());
  Finding finding;
  finding.seeds = lab.take_seeds();
  for (const Published& published : row.values)
    finding.outcomes.push_back(outcome_of(published, *measured));
  if (experiment->draw != nullptr) finding.figures = experiment->draw(row, *measured);
  return finding;
}

bool failed(const Finding& finding) {
  return std::any_of(finding.outcomes.begin(), finding.outcomes.end(), [](const Outcome& outcome) {
    return outcome.verdict == Verdict::differs || outcome.verdict == Verdict::not_measured;
  });
}

}  // namespace ebb::repro
