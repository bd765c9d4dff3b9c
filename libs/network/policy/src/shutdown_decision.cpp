// SPDX-License-Identifier: Apache-2.0
#include "shutdown_decision.hpp"

#include "utilisation.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace ebb::policy {
namespace {

template <class T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

ShutdownDecision::ShutdownDecision(std::span<const Way> rows) {
  for (const Way& row : rows)
    channels_.insert(channels_.end(), row.channels.begin(), row.channels.end());
  sort_unique(channels_);
  appearances_.resize(channels_.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Choice& choice = choices_.emplace_back();
    for (const ChannelId channel : rows[i].channels) choice.push_back(place_of(channel));
    for (const std::size_t place : choice) ++appearances_[place];
    if (i == 0 || rows[i].destination != rows[i - 1].destination) outputs_.emplace_back();
    outputs_.back().insert(outputs_.back().end(), choice.begin(), choice.end());
  }
  for (Choice& outputs : outputs_) sort_unique(outputs);
  sort_unique(outputs_);
  sort_unique(choices_);
}

std::size_t ShutdownDecision::place_of(ChannelId channel) const {
  const auto at = std::lower_bound(channels_.begin(), channels_.end(), channel);
  return static_cast<std::size_t>(at - channels_.begin());
}

std::vector<bool> ShutdownDecision::keep(std::span<const std::int64_t> used,
                                         const ShutdownLimits& limits) const {
  const auto is_crowded = [&](const Choice& outputs) {
    const auto add = [&](std::int64_t sum, std::size_t place) { return sum + used[place]; };
    return is_above(std::accumulate(outputs.begin(), outputs.end(), std::int64_t{0}, add),
                    limits.t_max);
  };
  std::vector<bool> kept(channels_.size(), false);
  if (std::all_of(outputs_.begin(), outputs_.end(), is_crowded)) {
    for (std::size_t place = 0; place < kept.size(); ++place)
      kept[place] = !is_below(used[place], limits.t_idle);
  } else {
    for (const Choice& outputs : outputs_) {
      if (!is_crowded(outputs)) continue;
      for (const std::size_t place : outputs) kept[place] = true;
    }
  }
  keep_one_of_each(kept);
  return kept;
}

void ShutdownDecision::keep_one_of_each(std::vector<bool>& kept) const {
  for (;;) {
    std::optional<std::size_t> best;
    for (const Choice& choice : choices_) {
      if (std::any_of(choice.begin(), choice.end(), [&](std::size_t p) { return kept[p]; }))
        continue;
      for (const std::size_t place : choice) {
        const bool better = !best || appearances_[place] > appearances_[*best] ||
                            (appearances_[place] == appearances_[*best] && place < *best);
        if (better) best = place;
      }
    }
    if (!best) return;
    kept[*best] = true;
  }
}

}  // namespace ebb::policy
