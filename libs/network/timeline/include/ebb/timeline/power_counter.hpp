// SPDX-License-Identifier: Apache-2.0
//
// Power over time as a counter whose integral is exactly the energy.
//
// Power changes at picoseconds, counters at nanoseconds. In a nanosecond in which power changes the
// counter has the mean of that nanosecond: its energy over 1 ns, of which 1 aJ is 1 nW, so that
// nothing is rounded.
//
//   PowerCounter watts(timeline, track, start, power_of_all);
//   watts.change(at, more);     // from `at` on it is more by this
//   watts.advance(now);         // nothing changes before
#pragma once

#include "ebb/timeline/timeline.hpp"
#include "ebb/units/energy.hpp"

#include <cstdint>
#include <optional>

namespace ebb::timeline {

class PowerCounter {
 public:
  PowerCounter(Timeline& timeline, TrackId track, TimePoint start, Power power)
      : timeline_(timeline), track_(track), at_(start), power_(power) {}

  // Times do not go backwards.
  void change(TimePoint at, Power by) {
    advance(at);
    power_ += by;
  }
  // Writes the values of whole nanoseconds before `to`.
  void advance(TimePoint to);
  // The rest of the last nanosecond counts as drawing nothing.
  void finish(TimePoint end);

  [[nodiscard]] Power power() const { return power_; }

 private:
  void write(std::int64_t at_ns, std::int64_t nanowatts);

  Timeline& timeline_;
  TrackId track_;
  TimePoint at_;
  Power power_;
  std::int64_t begun_ = 0;  // of the nanosecond that `at_` is in: aJ until then
  std::optional<std::int64_t> written_;
};

}  // namespace ebb::timeline
