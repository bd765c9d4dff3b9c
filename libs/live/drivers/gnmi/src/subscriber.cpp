// SPDX-License-Identifier: Apache-2.0
#include "subscriber.hpp"

#include <algorithm>

namespace ebb::gnmi {

Subscriber::Subscriber(Wanted wanted, SteadyTime now) : wanted_(std::move(wanted)) {
  for (const Wanted::Part& part : wanted_.parts) due_.push_back(now + part.interval);
}

std::vector<LeafValue> Subscriber::all(const std::vector<LeafValue>& box) {
  std::vector<LeafValue> found;
  for (const LeafValue& leaf : box) {
    const Path path = path_of(leaf.leaf);
    const bool wants = std::any_of(wanted_.parts.begin(), wanted_.parts.end(),
                                   [&](const auto& part) { return covers(part.path, path); });
    if (!wants) continue;
    told_[to_text(path)] = leaf.value;
    found.push_back(leaf);
  }
  return found;
}

std::vector<LeafValue> Subscriber::next(const std::vector<LeafValue>& box, SteadyTime now) {
  std::vector<LeafValue> found;
  for (const LeafValue& leaf : box) {
    const Path path = path_of(leaf.leaf);
    bool tell = false;
    for (std::size_t i = 0; i < wanted_.parts.size(); ++i) {
      const Wanted::Part& part = wanted_.parts[i];
      if (!covers(part.path, path)) continue;
      const bool is_due = part.interval.count() > 0 && due_[i] <= now;
      const auto told = told_.find(to_text(path));
      tell =
          tell || is_due || (part.on_change && (told == told_.end() || told->second != leaf.value));
    }
    if (!tell) continue;
    told_[to_text(path)] = leaf.value;
    found.push_back(leaf);
  }
  for (std::size_t i = 0; i < due_.size(); ++i) {
    // One that comes late is not followed by all that it missed.
    if (due_[i] <= now) due_[i] = now + wanted_.parts[i].interval;
  }
  return found;
}

SteadyTime Subscriber::due(SteadyTime limit) const {
  for (std::size_t i = 0; i < due_.size(); ++i) {
    if (wanted_.parts[i].interval.count() > 0) limit = std::min(limit, due_[i]);
  }
  return limit;
}

}  // namespace ebb::gnmi
