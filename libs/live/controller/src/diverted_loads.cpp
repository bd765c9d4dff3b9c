// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/diverted_loads.hpp"

namespace ebb::controller {

using topology::ChannelId;

void DivertedLoads::divert(ChannelId channel, double bit_per_s,
                           std::span<const ChannelId> detours) {
  restore(channel, detours);
  if (bit_per_s <= 0) return;
  for (const ChannelId detour : detours)
    parts_[detour].push_back({channel, bit_per_s, std::nullopt});
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
    if (found->second.empty()) parts_.erase(found);
  }
}

double DivertedLoads::on(ChannelId detour) const {
  const auto found = parts_.find(detour);
  if (found == parts_.end()) return 0;
  double sum = 0;
  for (const Part& part : found->second) sum += part.bit_per_s;
  return sum;
}

}  // namespace ebb::controller
