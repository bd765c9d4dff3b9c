// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/diverted_loads.hpp"

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
    add_up(one.detour, parts);
    detours_[channel].push_back(one.detour);
  }
}

void DivertedLoads::settle(TimePoint now, ChannelId channel) {
  const auto detours = detours_.find(channel);
  if (detours == detours_.end()) return;
  for (const ChannelId detour : detours->second) {
    const auto found = parts_.find(detour);
    if (found == parts_.end()) continue;
    for (Part& part : found->second) {
      if (part.from == channel && !part.settled_at) part.settled_at = now;
    }
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
