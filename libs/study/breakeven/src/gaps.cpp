// SPDX-License-Identifier: Apache-2.0
#include "ebb/breakeven/host_channels.hpp"

#include <algorithm>
#include <chrono>

namespace ebb::breakeven {
namespace {

using namespace std::chrono_literals;

constexpr Duration kFirstDecade = 1ns;
constexpr Duration kLastDecade = 10s;

std::vector<GapDecade> empty_decades() {
  std::vector<GapDecade> decades;
  for (Duration least = kFirstDecade; least <= kLastDecade; least *= 10)
    decades.push_back({.least = least});
  return decades;
}

void add(Gaps& gaps, Duration gap) {
  if (gap <= Duration{}) return;
  ++gaps.gaps;
  gaps.idle += gap;
  gaps.longest = std::max(gaps.longest, gap);
  auto decade = gaps.decades.begin();
  while (decade + 1 != gaps.decades.end() && (decade + 1)->least <= gap) ++decade;
  ++decade->gaps;
  decade->idle += gap;
}

}  // namespace

Gaps gaps_of(const HostChannels& channels) {
  Gaps gaps;
  gaps.decades = empty_decades();
  for (std::size_t i = 0; i < channels.count(); ++i) {
    TimePoint free;
    for (const Sending& sending : channels.channel(i)) {
      add(gaps, std::min(sending.at, channels.until()) - free);
      free = std::max(free, sending.at) + sending.takes;
    }
    add(gaps, channels.until() - free);
  }
  if (channels.time() > Duration{})
    gaps.load = Ratio((channels.time() - gaps.idle).count(), channels.time().count());
  return gaps;
}

}  // namespace ebb::breakeven
