// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/diverted_loads.hpp"

namespace ebb::controller {

using topology::ChannelId;

void DivertedLoads::divert(ChannelId channel, double bit_per_s,
                           std::span<const ChannelId> detours) {
  restore(channel, detours);
  if (bit_per_s <= 0) return;
  for (const ChannelId detour : detours) {
    std::vector<Part>& parts = parts_[detour];
    parts.push_back({channel, bit_per_s, std::nullopt});
    add_up(detour, parts);
  }
}

void DivertedLoads::settle(TimePoint now, ChannelId channel, std::span<const ChannelId> detours) {
  for (const ChannelId detour : detours) {
    const auto found = parts_.find(detour);
    if (found == parts_.end()) continue;
    for (Part& part : found->second) {
      if (part.from == channel && !part.settled_at) part.settled_at = now;
    }
  }
}

void DivertedLoads::restore(ChannelId channel, std::span<const ChannelId> detours) {
  for (const ChannelId detour : detours) {
    const auto found = parts_.find(detour);
    if (found == parts_.end()) continue;
    std::erase_if(found->second, [&](const Part& part) { return part.from == channel; });
    add_up(detour, found->second);
    if (found->second.empty()) parts_.erase(found);
  }
}

// Added up anew each time: what is left is exactly zero when nothing is.
void DivertedLoads::add_up(ChannelId detour, const std::vector<Part>& parts) {
  double sum = 0;
  for (const Part& part : parts) sum += part.bit_per_s;
  sums_[index(detour)] = sum;
}

}  // namespace ebb::controller
