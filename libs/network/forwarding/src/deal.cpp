// SPDX-License-Identifier: Apache-2.0
#include "deal.hpp"

#include "ebb/core/check.hpp"

#include <algorithm>

namespace ebb::forwarding {
namespace {

// Values that agree in their lowest `bits` bits.
struct Share {
  std::uint64_t low = 0;
  int bits = 0;
  std::uint64_t values = 0;
};

Share split(Share& share) {
  Share odd{share.low | (std::uint64_t{1} << share.bits), share.bits + 1, share.values / 2};
  share = {share.low, share.bits + 1, share.values - share.values / 2};
  return odd;
}

}  // namespace

std::vector<Match> deal(const Field& field, std::uint64_t values, std::size_t links) {
  std::vector<Share> shares = {{0, 0, values}};
  while (shares.size() < links) {
    const auto largest =
        std::max_element(shares.begin(), shares.end(),
                         [](const Share& a, const Share& b) { return a.values < b.values; });
    if (largest->values < 2) break;
    const Share odd = split(*largest);
    shares.push_back(odd);
  }
  std::sort(shares.begin(), shares.end(),
            [](const Share& a, const Share& b) { return a.low < b.low; });
  std::vector<Match> matches;
  matches.reserve(shares.size());
  for (const Share& share : shares)
    matches.push_back({field.place(share.low), field.place((std::uint64_t{1} << share.bits) - 1)});
  return matches;
}

topology::ChannelId dealt(std::span<const Match> matches,
                          std::span<const topology::ChannelId> links, Address address) {
  const auto found = std::find_if(matches.begin(), matches.end(),
                                  [&](const Match& match) { return match.matches(address); });
  EBB_CHECK(found != matches.end(), "some match takes every address");
  return links[static_cast<std::size_t>(found - matches.begin())];
}

}  // namespace ebb::forwarding
