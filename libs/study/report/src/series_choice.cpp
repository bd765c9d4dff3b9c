// SPDX-License-Identifier: Apache-2.0
#include "series_choice.hpp"

#include "series_json.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace ebb::report {
namespace {

// Positions of runs: all first repetitions, all second ones, ...
std::vector<std::size_t> by_repetition(const std::vector<results::Run>& runs) {
  std::map<std::string, std::size_t> seen;
  std::vector<std::pair<std::size_t, std::size_t>> order;  // repetition, position
  for (std::size_t i = 0; i < runs.size(); ++i) order.emplace_back(seen[runs[i].setup]++, i);
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> positions;
  positions.reserve(order.size());
  for (const auto& [repetition, position] : order) positions.push_back(position);
  return positions;
}

}  // namespace

Result<SeriesChoice> choose_series(const results::Store& store,
                                   const std::vector<results::Run>& runs, std::size_t most_bytes) {
  SeriesChoice choice;
  std::size_t bytes = 0;
  for (const std::size_t position : by_repetition(runs)) {
    const auto series = store.series(runs[position].id);
    if (!series) return fail(series.error());
    if (!*series || (*series)->frames() == 0) continue;
    const std::size_t size = document_size(**series);
    const bool fits = bytes + size <= most_bytes;
    if (fits) choice.runs.push_back(position);
    if (!fits) ++choice.left_out;
    if (fits) bytes += size;
  }
  std::sort(choice.runs.begin(), choice.runs.end());
  return choice;
}

}  // namespace ebb::report
