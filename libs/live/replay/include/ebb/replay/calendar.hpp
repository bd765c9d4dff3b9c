// SPDX-License-Identifier: Apache-2.0
//
// When links slept: the share of every hour, link by link, and the hours of the day in which a link
// slept every day.
//
//   SleepCalendar calendar(links);
//   calendar.add(link, from, until);           // microseconds since 1970
//   calendar.asleep(link, hour);               // 0 to 1
//   for (const Night& night : nights(calendar, first_hour, hours)) ...
#pragma once

#include "ebb/topology/graph.hpp"

#include <chrono>
#include <cstdint>
#include <vector>

namespace ebb::replay {

// A year of a thousand links is longer than Duration.
using LongTime = std::chrono::duration<std::int64_t, std::micro>;
inline constexpr std::int64_t kHoursOfDay = 24;

class SleepCalendar {
 public:
  SleepCalendar() = default;
  explicit SleepCalendar(std::size_t links) : rows_(links) {}

  // It slept between these times. Each link's times ascend.
  void add(topology::LinkId link, LongTime from, LongTime until);
  // Share of an hour (number since 1970) that a link slept.
  [[nodiscard]] double asleep(topology::LinkId link, std::int64_t hour) const;
  [[nodiscard]] std::size_t links() const { return rows_.size(); }

 private:
  // Of a link: the hours from `first` on. Links that never slept have none.
  struct Row {
    std::int64_t first = 0;
    std::vector<float> shares;
  };
  std::vector<Row> rows_;
};

// Links that slept every day during the same hours of the day, UTC: from `begin` up to `end`, which
// is smaller when midnight lies between, and equal when they slept all the time.
struct Night {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::vector<topology::LinkId> links;  // ascending
};
// Of each link the longest such time, by whole days of the data; of two days at least. Nights of
// most link-hours first.
[[nodiscard]] std::vector<Night> nights(const SleepCalendar& calendar, std::int64_t first_hour,
                                        std::int64_t hours);

}  // namespace ebb::replay
