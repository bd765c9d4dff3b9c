// SPDX-License-Identifier: Apache-2.0
#include "ebb/power/ledger.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <utility>
#include <vector>

namespace ebb::power {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;

constexpr StateIndex kAsleep{0};
constexpr StateIndex kOn{1};

TimePoint us(std::int64_t n) { return TimePoint(microseconds(n)); }

// From 5 us to 15 us: a channel at 2 W that sleeps from `asleep_from` on, one at 1 W, and the core
// of a switch at 50 W.
Ledger sample(std::int64_t asleep_from) {
  const std::vector<MeterStart> starts = {
      {.number = 3, .meter_class = ClassIndex{0}, .power = watts(2), .state = kOn},
      {.number = 7, .meter_class = ClassIndex{0}, .power = watts(1), .state = kOn},
      {.number = 0, .meter_class = ClassIndex{1}, .power = watts(50)}};
  Ledger ledger({{"channel", {"asleep", "on"}}, {"switch core", {"on"}}}, starts, us(5));
  ledger.switch_power(MeterIndex{0}, us(asleep_from), watts(0), kAsleep);
  ledger.close(us(15));
  return ledger;
}

TEST(LedgerTime, ScalesEveryMeterAndEverySum) {
  const Ledger ledger = scaled(sample(9), 1000);
  EXPECT_TRUE(ledger.check().empty()) << to_string(ledger.check());
  EXPECT_EQ(ledger.start(), us(0));
  EXPECT_EQ(ledger.end(), us(10'000));
  EXPECT_EQ(ledger.energy(MeterIndex{0}), watts(2) * microseconds(4'000));
  EXPECT_EQ(ledger.energy(MeterIndex{1}), watts(1) * microseconds(10'000));
  EXPECT_EQ(ledger.energy(MeterIndex{2}), watts(50) * microseconds(10'000));
  EXPECT_EQ(ledger.residency(MeterIndex{0}, kAsleep), Duration(microseconds(6'000)));
  EXPECT_EQ(ledger.transitions(MeterIndex{0}), 1000U);
  EXPECT_EQ(ledger.totals(ClassIndex{0}).energy,
            ledger.energy(MeterIndex{0}) + ledger.energy(MeterIndex{1}));
  EXPECT_EQ(ledger.total(), 1000 * sample(9).total());
}

TEST(LedgerTime, AddsTimesInAnyOrder) {
  const Ledger morning = scaled(sample(9), 300);
  const Ledger evening = scaled(sample(11), 200);
  Ledger day = morning;
  ASSERT_TRUE(day.add_time(evening).empty());
  EXPECT_TRUE(day.check().empty()) << to_string(day.check());
  EXPECT_EQ(day.end(), us(5'000));
  EXPECT_EQ(day.total(), 300 * sample(9).total() + 200 * sample(11).total());
  EXPECT_EQ(day.residency(MeterIndex{0}, kAsleep), Duration(microseconds(300 * 6 + 200 * 4)));
  Ledger other = evening;
  ASSERT_TRUE(other.add_time(morning).empty());
  EXPECT_EQ(day, other);
}

// A sample of 10 us stands for hours.
TEST(LedgerTime, HoldsAWeek) {
  const Ledger week = scaled(sample(9), std::uint64_t{7} * 24 * 3600 * 100'000);
  EXPECT_TRUE(week.check().empty()) << to_string(week.check());
  EXPECT_EQ(week.end(), TimePoint(hours(7 * 24)));
  EXPECT_EQ(week.energy(MeterIndex{2}), watts(50) * hours(7 * 24));
}

TEST(LedgerTime, RefusesOtherMeters) {
  const auto one_channel = [](std::uint32_t number) {
    const std::vector<MeterStart> starts = {{.number = number, .power = watts(1), .state = kOn}};
    Ledger ledger({{"channel", {"asleep", "on"}}}, starts, us(5));
    return ledger;
  };
  Ledger a = one_channel(1);
  EXPECT_EQ(a.add_time(one_channel(2)).size(), 2U);  // open, other meters
  a.close(us(6));
  const Energy before = a.total();
  EXPECT_EQ(a.add_time(sample(9)).size(), 2U);  // other classes, other meters
  EXPECT_EQ(a.total(), before);
}

}  // namespace
}  // namespace ebb::power
