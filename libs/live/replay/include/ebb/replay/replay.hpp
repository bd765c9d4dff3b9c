// SPDX-License-Identifier: Apache-2.0
//
// Recorded loads replayed under several policies.
//
//   const auto setting = fabric_setting(graph, safety, port);
//   const std::vector<PolicyRun> runs = replay(*setting, loads, policies, {0.5, 0.7, 0.9});
#pragma once

#include "ebb/controller/safety.hpp"
#include "ebb/counters/mapping.hpp"
#include "ebb/files/sections.hpp"
#include "ebb/replay/fabric.hpp"
#include "ebb/replay/meter.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ebb::replay {

// What became of one policy.
struct PolicyRun {
  files::Named policy;
  std::uint32_t links = 0;       // between switches
  std::vector<Hour> hours;       // ascending
  std::vector<LongTime> asleep;  // by link
  std::vector<Power> power;      // by link, when the data ends; of links of hosts none
  std::vector<Energy> energy;    // by link
  Power group_power;             // of power groups, when the data ends
  SleepCalendar calendar;
  controller::DecisionCounts counts;

  [[nodiscard]] Hour total() const;
};

// Sums of hours by what `key` says of an hour's number, ascending.
template <class Key>
[[nodiscard]] std::vector<Hour> sums_by(const std::vector<Hour>& hours, const Key& key) {
  std::vector<Hour> sums;
  for (const Hour& hour : hours) {
    const std::int64_t number = key(hour.number);
    auto place = sums.begin();
    while (place != sums.end() && place->number < number) ++place;
    if (place == sums.end() || place->number != number)
      place = sums.insert(place, {.number = number});
    place->add(hour);
  }
  return sums;
}
[[nodiscard]] std::vector<Hour> by_day(const std::vector<Hour>& hours);          // UTC
[[nodiscard]] std::vector<Hour> by_hour_of_day(const std::vector<Hour>& hours);  // UTC

// A year of 365.25 days that is like the time that was replayed: its mean, and the lowest and
// highest of whole weeks, or of whole days where there are not two weeks.
struct Year {
  Energy saved;
  std::optional<Energy> lowest;
  std::optional<Energy> highest;
  std::string_view periods;  // "weeks", "days", or "" where there are not two
  std::size_t period_count = 0;
};
[[nodiscard]] Year year_of(const std::vector<Hour>& hours);

// The runs in the order of the policies, each the same as alone. Utilisation levels ascend.
[[nodiscard]] std::vector<PolicyRun> replay(const FabricSetting& setting,
                                            const counters::ChannelLoads& loads,
                                            std::span<const files::Named> policies,
                                            const std::vector<double>& levels);

}  // namespace ebb::replay
