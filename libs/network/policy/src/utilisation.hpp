// SPDX-License-Identifier: Apache-2.0
//
// The share of a window in which a channel was busy, as a whole number: decisions compare and add
// shares without floating point.
#pragma once

#include "ebb/policy/sample.hpp"
#include "ebb/units/ratio.hpp"

#include <cstdint>

namespace ebb::policy {

inline constexpr std::int64_t kAllBusy = 1 << 16;  // a utilisation of 100 %

// Of kAllBusy, rounded down; 0 in a window of no length.
inline std::int64_t utilisation(const ChannelSample& channel) {
  if (channel.window == Duration{}) return 0;
  return static_cast<std::int64_t>(static_cast<Int128>(kAllBusy) * channel.busy.count() /
                                   channel.window.count());
}

// Rounded in the same way, so that a share of exactly the limit is neither above nor below it.
inline std::int64_t share_of(const Ratio& limit) {
  return static_cast<std::int64_t>(static_cast<Int128>(kAllBusy) * limit.num() / limit.den());
}
inline bool is_above(std::int64_t share, const Ratio& limit) { return share > share_of(limit); }
inline bool is_below(std::int64_t share, const Ratio& limit) { return share < share_of(limit); }

}  // namespace ebb::policy
