// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/diverted_loads.hpp"

#include <algorithm>

namespace ebb::controller {

using topology::ChannelId;

void DivertedLoads::divert(ChannelId channel, double bit_per_s,
                           std::span<const ChannelId> detours) {
  std::vector<MovedLoad> moved;
  moved.reserve(detours.size());
  for (const ChannelId detour : detours) moved.push_back({detour, bit_per_s});
  divert(channel, moved);
}

void DivertedLoads::divert(ChannelId channel, std::span<const MovedLoad> moved) {
  restore(channel);
  for (const MovedLoad& one : moved) {
    if (one.bit_per_s <= 0) continue;
    std::vector<Part>& parts = parts_[one.detour];
    parts.push_back({channel, one.bit_per_s, std::nullopt});
    sums_[index(one.detour)] += one.bit_per_s;  // as if added up anew
    detours_[channel].push_back(one.detour);
  }
}

void DivertedLoads::settle(TimePoint now, ChannelId channel) {
  const auto detours = detours_.find(channel);
  if (detours == detours_.end()) return;
  for (const ChannelId detour : detours->second) {
    const auto found = parts_.find(detour);
    if (found == parts_.end()) continue;
    // One channel moved to a detour once, and mostly a moment ago.
    const auto part = std::find_if(found->second.rbegin(), found->second.rend(),
                                   [&](const Part& one) { return one.from == channel; });
    if (part != found->second.rend() && !part->settled_at) part->settled_at = now;
  }
}

void DivertedLoads::restore(ChannelId channel) {
  const auto detours = detours_.find(channel);
  if (detours == detours_.end()) return;
  for (const ChannelId detour : detours->second) {
    const auto found = parts_.find(detour);
    if (found == parts_.end()) continue;
    std::erase_if(found->second, [&](const Part& part) { return part.from == channel; });
    add_up(detour, found->second);
    if (found->second.empty()) parts_.erase(found);
  }
  detours_.erase(detours);
}

// Added up anew each time: what is left is exactly zero when nothing is.
void DivertedLoads::add_up(ChannelId detour, const std::vector<Part>& parts) {
  double sum = 0;
  for (const Part& part : parts) sum += part.bit_per_s;
  sums_[index(detour)] = sum;
}

}  // namespace ebb::controller
