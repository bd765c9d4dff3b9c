// SPDX-License-Identifier: Apache-2.0
#include "ebb/replay/calendar.hpp"

#include <gtest/gtest.h>

namespace ebb::replay {
namespace {

using namespace std::chrono_literals;
using topology::LinkId;

constexpr std::int64_t kMonday = 473'352;  // 2024-01-01 00:00 UTC, in hours

LongTime at(std::int64_t hour, LongTime more = {}) {
  return LongTime(std::chrono::hours(kMonday + hour)) + more;
}

TEST(SleepCalendar, HasTheShareOfEveryHour) {
  SleepCalendar calendar(2);
  calendar.add(LinkId{1}, at(2, 45min), at(4, 15min));
  calendar.add(LinkId{1}, at(4, 30min), at(4, 45min));
  EXPECT_DOUBLE_EQ(calendar.asleep(LinkId{1}, kMonday + 1), 0);
  EXPECT_DOUBLE_EQ(calendar.asleep(LinkId{1}, kMonday + 2), 0.25);
  EXPECT_DOUBLE_EQ(calendar.asleep(LinkId{1}, kMonday + 3), 1);
  EXPECT_DOUBLE_EQ(calendar.asleep(LinkId{1}, kMonday + 4), 0.5);
  EXPECT_DOUBLE_EQ(calendar.asleep(LinkId{1}, kMonday + 5), 0);
  EXPECT_DOUBLE_EQ(calendar.asleep(LinkId{0}, kMonday + 3), 0);
}

TEST(Nights, AreTheHoursInWhichALinkSleptEveryDay) {
  SleepCalendar calendar(4);
  for (const std::uint32_t link : {0U, 1U}) calendar.add(LinkId{link}, at(-2), at(6));
  for (std::int64_t day = 0; day < 3; ++day) {
    calendar.add(LinkId{0}, at(24 * day + 22, 5s), at(24 * day + 30));  // over midnight
    calendar.add(LinkId{1}, at(24 * day + 22), at(24 * day + 30));
    calendar.add(LinkId{2}, at(24 * day + 2), at(24 * day + (day == 1 ? 3 : 5)));
  }
  const std::vector<Night> found = nights(calendar, kMonday, 72);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].begin, 22);
  EXPECT_EQ(found[0].end, 6);
  EXPECT_EQ(found[0].links, (std::vector{LinkId{0}, LinkId{1}}));
  EXPECT_EQ(found[1].begin, 2);
  EXPECT_EQ(found[1].end, 3);
  EXPECT_EQ(found[1].links, (std::vector{LinkId{2}}));
}

TEST(Nights, AreOfTwoDaysAtLeast) {
  SleepCalendar calendar(1);
  calendar.add(LinkId{0}, at(0), at(72));
  EXPECT_TRUE(nights(calendar, kMonday, 47).empty());
  const std::vector<Night> found = nights(calendar, kMonday, 48);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].begin, found[0].end) << "all the time";
}

}  // namespace
}  // namespace ebb::replay
