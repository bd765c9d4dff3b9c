// SPDX-License-Identifier: Apache-2.0
#include "ebb/policy/regulate.hpp"

#include "ebb/core/check.hpp"

#include <algorithm>

namespace ebb::policy {
namespace {

// The fewest links that keep each below the peak; at least one.
std::int64_t links_for(DataSize amount, DataSize peak) {
  return std::max<std::int64_t>(1, (amount.count() + peak.count() - 1) / peak.count());
}

// The slowest rate at which one link still carries the amount; a slow link has a lower peak.
Ratio rate_for(DataSize amount, const RegulateBy& by) {
  Ratio slowest(1, 1);
  for (const Ratio& rate : by.slower) {
    if (amount <= scale(by.peak, rate) && rate < slowest) slowest = rate;
  }
  return slowest;
}

}  // namespace

std::vector<DataSize> amount_by_channel(std::size_t lags, std::span<const RegulatedFlow> flows) {
  std::vector<DataSize> amounts(2 * lags);
  for (const RegulatedFlow& flow : flows) {
    for (const std::uint32_t channel : flow.channels) {
      EBB_CHECK(channel < amounts.size(), "a flow names a channel that there is not");
      amounts[channel] += flow.amount;
    }
  }
  return amounts;
}

Regulation regulate(std::span<const int> links, std::span<const RegulatedFlow> flows,
                    const RegulateBy& by) {
  EBB_CHECK(by.peak > DataSize{}, "a peak of nothing");
  const std::vector<DataSize> amounts = amount_by_channel(links.size(), flows);
  Regulation regulation;
  for (std::size_t b = 0; b < links.size(); ++b) {
    const DataSize busier = std::max(amounts[2 * b], amounts[2 * b + 1]);
    const std::int64_t needed = links_for(busier, by.peak);
    if (needed > links[b]) regulation.beyond.push_back(static_cast<std::uint32_t>(b));
    regulation.links.push_back(static_cast<int>(std::min<std::int64_t>(needed, links[b])));
    regulation.rate.push_back(needed == 1 ? rate_for(busier, by) : Ratio(1, 1));
  }
  return regulation;
}

}  // namespace ebb::policy
