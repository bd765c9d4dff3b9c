// SPDX-License-Identifier: Apache-2.0
#include "ebb/repro/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::repro {

Result<std::vector<Outcome>> run(const Row& row, const power::Library& parts) {
  const auto all = experiments();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Experiment& e) { return e.id == row.id; });
  if (found == all.end()) return fail(fmt::format("{} has no experiment yet", row.id));
  const auto measured = found->measure(parts);
  if (!measured) return fail(measured.error());
  std::vector<Outcome> outcomes;
  for (const Published& published : row.values) {
    const auto number = std::find_if(measured->begin(), measured->end(), [&](const auto& entry) {
      return entry.first == published.name;
    });
    if (number == measured->end()) {
      outcomes.push_back({published, 0, Verdict::not_measured});
    } else {
      outcomes.push_back({published, number->second, judge(published, number->second)});
    }
  }
  return outcomes;
}

}  // namespace ebb::repro
