// SPDX-License-Identifier: Apache-2.0
//
// Start times of flows as files write them: decimals of a unit, such as "2.000010500" seconds or
// "40" picoseconds. Programs count whole nanoseconds. What is finer is cut off and counted, because
// a reader says what it changed; parse<Duration> would refuse it. 64 bits of nanoseconds hold Unix
// times, which are longer than a Duration.
#pragma once

#include "ebb/units/parameters.hpp"
#include "ebb/units/time.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::trace {

// A time that was cut to whole nanoseconds, and the picoseconds that were cut off.
struct FlowTime {
  std::chrono::nanoseconds at{};
  Duration cut{};
};

// "ps", "ns", "us", "ms", "s".
[[nodiscard]] const std::vector<std::string>& time_units();

// A decimal, also with an exponent, followed by its unit or in the given one. Nothing when it is no
// time from 0 on, has no unit or is too long.
[[nodiscard]] std::optional<FlowTime> parse_flow_time(std::string_view text, std::string_view unit);

// What was cut off, of all times of a file.
class CutTimes {
 public:
  void add(const FlowTime& time, std::uint32_t line);
  void append_repair(std::vector<std::string>& repairs) const;

 private:
  std::uint64_t count_ = 0;
  std::uint32_t first_line_ = 0;
  Duration most_{};
};

}  // namespace ebb::trace
