// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/names.hpp"

#include "renamed_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ebb {
namespace {

// A name far longer than any of ours is garbage; comparing it would only cost time.
constexpr std::size_t kLongestName = 64;

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> closest_name(std::string_view wrong,
                                        std::span<const std::string> candidates) {
  if (wrong.size() > kLongestName) return std::nullopt;
  std::optional<std::string> best;
  std::size_t best_distance = (wrong.size() + 2) / 3 + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(wrong, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::optional<std::string> renamed_name(std::string_view old_name,
                                        std::span<const std::string> candidates) {
  for (const RenamedName& renamed : kRenamedNames) {
    if (renamed.before != old_name) continue;
    if (std::find(candidates.begin(), candidates.end(), renamed.now) != candidates.end()) {
      return std::string(renamed.now);
    }
  }
  return std::nullopt;
}

std::string unknown_name(std::string_view kind, std::string_view wrong,
                         std::span<const std::string> candidates) {
  if (const auto now = renamed_name(wrong, candidates)) {
    return fmt::format("unknown {} '{}'; it is now called '{}'", kind, wrong, *now);
  }
  if (const auto near = closest_name(wrong, candidates)) {
    return fmt::format("unknown {} '{}'; did you mean '{}'?", kind, wrong, *near);
  }
  return fmt::format("unknown {} '{}'; valid: {}", kind, wrong, fmt::join(candidates, ", "));
}

}  // namespace ebb
