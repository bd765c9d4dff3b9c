// SPDX-License-Identifier: Apache-2.0
//
// When a queue is long, when it is short again, and how calm an agent is about it. Lengths are
// times: how long a frame at the end of the queue waits at the rate of the port.
#pragma once

#include "ebb/units/data.hpp"

#include <chrono>
#include <cstdint>

namespace ebb::agent {

struct Limits {
  Duration high = std::chrono::milliseconds(3);
  Duration low = std::chrono::milliseconds(1);
  std::uint32_t polls = 2;                        // in a row above `high` before it is paused
  Duration hold = std::chrono::milliseconds(10);  // below `low` before it is used again
  // Between two changes of a port, or of one that stands in for it. Longer lets fewer frames
  // overtake others, but an overload of x times the rate fills a queue by (x - 1) * least.
  Duration least = std::chrono::milliseconds(20);
  double share = 0.5;  // of the ports that may be paused, at least 1
};

// A slow port holds some frames without being overloaded.
inline constexpr DataSize kFrame = bytes(1514);
inline constexpr std::int64_t kFramesAtHigh = 4;

// Above this a queue is long: max(high * rate, 4 frames).
[[nodiscard]] DataSize high_mark(const Limits& limits, DataRate rate);
// Not above this it is short: max(low * rate, 1 frame).
[[nodiscard]] DataSize low_mark(const Limits& limits, DataRate rate);

}  // namespace ebb::agent
