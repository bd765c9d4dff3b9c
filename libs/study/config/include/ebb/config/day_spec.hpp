// SPDX-License-Identifier: Apache-2.0
//
// A day: a time series of loads that drives a simulation, in steps of minutes. Each step is
// simulated by itself (libs/study/day); docs/day.md has the model.
//
//   schedule: {measure: 100us, day: day.csv, magnify: [{at: 12:00, for: 1ms}]}
//
//   time,load
//   00:00,12%
//   00:05,12.5%
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/units/parameters.hpp"
#include "ebb/units/quantity.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::config {

struct SimSpec;

// A moment whose step is simulated once more, packet by packet.
struct Magnified {
  Duration at{};      // since the beginning of the day
  Duration length{};  // of what is measured

  bool operator==(const Magnified&) const = default;
};

// The loads as CSV. The text is a part of the configuration, wherever it came from; the file is
// named in errors alone.
struct DaySpec {
  std::string text;  // empty: the simulation has no day
  std::string file;  // empty: the text stands in the key itself
  std::vector<Magnified> magnified;

  [[nodiscard]] bool given() const { return !text.empty(); }
  bool operator==(const DaySpec& other) const {
    return text == other.text && magnified == other.magnified;
  }
};

// From its beginning to that of the next one the load is the same.
struct DayStep {
  Duration at{};
  Duration length{};
  Ratio load;

  bool operator==(const DayStep&) const = default;
};

// A time of day, or of the days after it: hours, minutes and perhaps seconds. Hours go on after 24.
inline constexpr Duration kLongestDay = std::chrono::hours(2400);
[[nodiscard]] Result<Duration> parse_clock(std::string_view text);
// "03:05", with the seconds where there are some.
[[nodiscard]] std::string clock_text(Duration time);

// The steps of a text whose loads are within the limits of the parameter. The last one is as long
// as the one before it. All errors at once: those of a file with its line, the others with the
// number of the row, from 1.
[[nodiscard]] Result<std::vector<DayStep>> read_day_text(std::string_view text,
                                                         const std::string& file,
                                                         const Parameter& load);

// The steps of the day of a simulation whose injection or workload has a load.
[[nodiscard]] Result<std::vector<DayStep>> read_day(const SimSpec& spec);

// The simulation of one step: without a day, with the load of the step, and with a seed of its own.
[[nodiscard]] SimSpec step_spec(const SimSpec& spec, const DayStep& step, std::uint64_t number);

}  // namespace ebb::config
