// SPDX-License-Identifier: Apache-2.0
//
// Time is integer picoseconds. A span is a Duration, a point is a TimePoint of a clock that has no
// now(): model and policy code that tries to read the wall clock does not compile.
#pragma once

#include <chrono>
#include <cstdint>
#include <ratio>

namespace ebb {

using Duration = std::chrono::duration<std::int64_t, std::pico>;  // +-106 days

struct FabricClock {
  using duration = Duration;
  using rep = Duration::rep;
  using period = Duration::period;
  using time_point = std::chrono::time_point<FabricClock, Duration>;
  static constexpr bool is_steady = true;
};

using TimePoint = FabricClock::time_point;

}  // namespace ebb
