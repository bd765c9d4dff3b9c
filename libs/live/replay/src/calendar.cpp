// SPDX-License-Identifier: Apache-2.0
#include "ebb/replay/calendar.hpp"

#include "ebb/core/check.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace ebb::replay {

using topology::LinkId;

namespace {

constexpr LongTime kOneHour = std::chrono::hours(1);
// A link that changes at the edge of an hour takes some seconds to do it.
constexpr double kWholeHour = 0.99;

using HoursOfDay = std::array<bool, kHoursOfDay>;

// In which hours of the day a link slept on every day.
HoursOfDay slept_every_day(const SleepCalendar& calendar, LinkId link, std::int64_t first_hour,
                           std::int64_t hours) {
  HoursOfDay slept;
  slept.fill(true);
  for (std::int64_t hour = first_hour; hour < first_hour + hours; ++hour) {
    if (calendar.asleep(link, hour) < kWholeHour)
      slept[static_cast<std::size_t>(hour % kHoursOfDay)] = false;
  }
  return slept;
}

// The longest run of hours, which may go over midnight: its begin and its length.
std::optional<std::pair<std::int64_t, std::int64_t>> longest_run(const HoursOfDay& slept) {
  std::pair<std::int64_t, std::int64_t> best{0, 0};
  for (std::int64_t begin = 0; begin < kHoursOfDay; ++begin) {
    std::int64_t length = 0;
    while (length < kHoursOfDay && slept[static_cast<std::size_t>((begin + length) % kHoursOfDay)])
      ++length;
    if (length > best.second) best = {begin, length};
  }
  if (best.second == 0) return std::nullopt;
  return best;
}

}  // namespace

void SleepCalendar::add(LinkId link, LongTime from, LongTime until) {
  Row& row = rows_[index(link)];
  while (from < until) {
    const std::int64_t hour = from / kOneHour;
    const LongTime end = std::min(until, kOneHour * (hour + 1));
    if (row.shares.empty()) row.first = hour;
    EBB_CHECK(hour >= row.first, "the times of a link ascend");
    const auto place = static_cast<std::size_t>(hour - row.first);
    if (place >= row.shares.size()) row.shares.resize(place + 1);
    row.shares[place] += static_cast<float>(static_cast<double>((end - from).count()) /
                                            static_cast<double>(kOneHour.count()));
    from = end;
  }
}

double SleepCalendar::asleep(LinkId link, std::int64_t hour) const {
  const Row& row = rows_[index(link)];
  const std::int64_t place = hour - row.first;
  if (place < 0 || place >= static_cast<std::int64_t>(row.shares.size())) return 0;
  return row.shares[static_cast<std::size_t>(place)];
}

std::vector<Night> nights(const SleepCalendar& calendar, std::int64_t first_hour,
                          std::int64_t hours) {
  const std::int64_t whole = hours - hours % kHoursOfDay;
  if (whole < 2 * kHoursOfDay) return {};
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<LinkId>> by_run;
  for (std::uint32_t which = 0; which < calendar.links(); ++which) {
    const LinkId link{which};
    if (const auto run = longest_run(slept_every_day(calendar, link, first_hour, whole)))
      by_run[*run].push_back(link);
  }
  using Group = std::pair<std::pair<std::int64_t, std::int64_t>, std::vector<LinkId>>;
  std::vector<Group> groups(by_run.begin(), by_run.end());
  const auto link_hours = [](const Group& group) {
    return group.first.second * static_cast<std::int64_t>(group.second.size());
  };
  std::stable_sort(groups.begin(), groups.end(),
                   [&](const Group& a, const Group& b) { return link_hours(a) > link_hours(b); });
  std::vector<Night> result;
  result.reserve(groups.size());
  for (auto& [run, links] : groups)
    result.push_back({run.first, (run.first + run.second) % kHoursOfDay, std::move(links)});
  return result;
}

}  // namespace ebb::replay
