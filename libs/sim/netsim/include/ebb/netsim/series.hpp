// SPDX-License-Identifier: Apache-2.0
//
// What channels did in equal parts ("frames") of the measured time. Frames add up exactly to what
// the report says of the whole.
#pragma once

#include "ebb/units/data.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/time.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ebb::netsim {

// Vectors hold frame after frame, in each channel after channel: [frame * channels + channel].
struct Series {
  Duration every{};
  std::uint32_t channels = 0;
  std::vector<TimePoint> ends;  // of the frames; the last one may be shorter
  std::vector<Duration> busy;   // in the frame
  std::vector<DataSize> sent;   // in the frame
  std::vector<Energy> energy;   // in the frame
  // At its end, before the policy acts at that moment.
  std::vector<DataSize> queued;  // what waits, the packet on the wire not counted
  std::vector<std::uint8_t>
      states;  // as the ledger numbers them: asleep, changing, rates ascending

  bool operator==(const Series&) const = default;
};

// Frames times channels. More would take a few hundred megabytes.
inline constexpr std::int64_t kMostSeriesValues = 4'000'000;

[[nodiscard]] constexpr std::int64_t frames_in(Duration measure, Duration every) {
  return (measure.count() - 1) / every.count() + 1;
}

}  // namespace ebb::netsim
