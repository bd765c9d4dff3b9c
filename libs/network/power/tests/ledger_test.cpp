// SPDX-License-Identifier: Apache-2.0
#include "ebb/power/ledger.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace ebb::power {

// Breaks one number of a ledger.
struct LedgerSpoiler {
  static void residency(Ledger& ledger, std::size_t i) { ledger.residency_.at(i) += Duration(1); }
  static void energy(Ledger& ledger, std::size_t i) {
    ledger.meters_.at(i).energy += attojoules(1);
  }
  static void transitions(Ledger& ledger, std::size_t i) { ++ledger.meters_.at(i).transitions; }
  static void since(Ledger& ledger, std::size_t i) { ledger.meters_.at(i).since -= Duration(1); }
  static void total(Ledger& ledger) { ledger.total_ += attojoules(1); }
};

namespace {

using std::chrono::hours;
using std::chrono::microseconds;

constexpr StateIndex kAsleep{0};
constexpr StateIndex kSlow{1};
constexpr StateIndex kFull{2};
constexpr StateIndex kChanging{3};
constexpr MeterIndex kFirst{0};

const MeterClass kChannel{"channel", {"asleep", "10Gb/s", "40Gb/s", "changing"}};
const MeterClass kCore{"switch core", {"on"}};

TimePoint us(std::int64_t n) { return TimePoint(microseconds(n)); }

// Power 2 W at 40 Gb/s, 0.8 W at 10 Gb/s, 0 W asleep; a change takes 1 us at the higher power.
//   us   0..10  40 Gb/s    2 W    20 uJ
//   us  10..11  changing   2 W     2 uJ
//   us  11..30  10 Gb/s  0.8 W  15.2 uJ
//   us  30..31  changing 0.8 W   0.8 uJ
//   us  31..90  asleep     0 W     0 uJ
//   us  90..91  changing   2 W     2 uJ
//   us 91..100  40 Gb/s    2 W    18 uJ     together 58 uJ
TEST(LedgerTest, ReproducesAStaircaseByHand) {
  const Power full = watts(2);
  const Power slow = milliwatts(800);
  const std::vector<MeterStart> starts = {{.number = 7, .power = full, .state = kFull}};
  Ledger ledger({kChannel}, starts, us(0));
  ledger.switch_power(kFirst, us(10), power_while_changing(full, slow), kChanging);
  ledger.switch_power(kFirst, us(11), slow, kSlow);
  ledger.switch_power(kFirst, us(30), power_while_changing(slow, watts(0)), kChanging);
  ledger.switch_power(kFirst, us(31), watts(0), kAsleep);
  ledger.switch_power(kFirst, us(90), power_while_changing(watts(0), full), kChanging);
  ledger.switch_power(kFirst, us(91), full, kFull);
  ledger.close(us(100));

  EXPECT_EQ(ledger.energy(kFirst), picojoules(58'000'000));
  EXPECT_EQ(ledger.total(), picojoules(58'000'000));
  EXPECT_EQ(ledger.residency(kFirst, kAsleep), Duration(microseconds(59)));
  EXPECT_EQ(ledger.residency(kFirst, kSlow), Duration(microseconds(19)));
  EXPECT_EQ(ledger.residency(kFirst, kFull), Duration(microseconds(19)));
  EXPECT_EQ(ledger.residency(kFirst, kChanging), Duration(microseconds(3)));
  EXPECT_EQ(ledger.transitions(kFirst), 6U);
  EXPECT_EQ(ledger.number(kFirst), 7U);
  EXPECT_EQ(ledger.end(), us(100));
  EXPECT_TRUE(ledger.check().empty()) << to_string(ledger.check());
}

TEST(LedgerTest, AddsUpByClass) {
  const std::vector<MeterStart> starts = {
      {.number = 0, .meter_class = ClassIndex{0}, .power = watts(1), .state = kSlow},
      {.number = 1, .meter_class = ClassIndex{0}, .power = watts(2), .state = kFull},
      {.number = 0, .meter_class = ClassIndex{1}, .power = watts(50)}};
  Ledger ledger({kChannel, kCore}, starts, us(5));
  ledger.charge(MeterIndex{1}, picojoules(3));
  ledger.switch_power(MeterIndex{0}, us(10), watts(0), kAsleep);
  ledger.switch_power(MeterIndex{2}, us(12), watts(40), StateIndex{0});  // power without a state
  ledger.close(us(15));
  EXPECT_EQ(ledger.totals(ClassIndex{0}).energy, picojoules(5'000'000 + 20'000'000 + 3));
  EXPECT_EQ(ledger.totals(ClassIndex{1}).energy, picojoules(7 * 50'000'000 + 3 * 40'000'000));
  EXPECT_EQ(ledger.total(),
            ledger.totals(ClassIndex{0}).energy + ledger.totals(ClassIndex{1}).energy);
  EXPECT_EQ(ledger.totals(ClassIndex{0}).transitions, 1U);
  EXPECT_EQ(ledger.totals(ClassIndex{1}).transitions, 0U);
  EXPECT_EQ(ledger.totals(ClassIndex{0}).residency,
            (std::vector{MeterTime::from_count(5'000'000), MeterTime::from_count(5'000'000),
                         MeterTime::from_count(10'000'000), MeterTime{}}));
  EXPECT_TRUE(ledger.check().empty()) << to_string(ledger.check());
}

// Sums of many long runs pass 64 bits.
TEST(LedgerTest, HoldsYearsOfMegawatts) {
  std::vector<MeterStart> starts;
  for (std::uint32_t i = 0; i < 1000; ++i)
    starts.push_back({.number = i, .power = watts(1'000'000), .state = kFull});
  Ledger ledger({kChannel}, starts, TimePoint{});
  ledger.close(TimePoint(hours(2500)));
  EXPECT_EQ(ledger.total(), 1000 * (watts(1'000'000) * hours(2500)));
  EXPECT_EQ(ledger.totals(ClassIndex{0}).residency[2].count(),
            static_cast<Int128>(1000) * Duration(hours(2500)).count());
  EXPECT_TRUE(ledger.check().empty());
}

TEST(LedgerTest, IsCompact) {
  std::vector<MeterStart> starts(10'000);
  for (std::uint32_t i = 0; i < starts.size(); ++i) starts[i].number = i;
  const Ledger ledger({kCore}, starts, TimePoint{});
  EXPECT_LE(ledger.memory_bytes(), starts.size() * (52 + 8) * 2);  // vectors may double
  EXPECT_EQ(ledger.meters(), starts.size());
}

// A plan of switches: per meter, times and what it switches to.
struct Switch {
  std::uint32_t meter = 0;
  std::int64_t at = 0;
  Power power;
  StateIndex state{};
};

constexpr std::uint32_t kMeters = 6;
constexpr std::int64_t kEnd = 1'000'000'007;

std::vector<MeterStart> some_meters(std::uint32_t first, std::uint32_t count) {
  std::vector<MeterStart> starts;
  for (std::uint32_t i = first; i < first + count; ++i) {
    starts.push_back({.number = i,
                      .meter_class = ClassIndex{static_cast<std::uint8_t>(i < 4 ? 0 : 1)},
                      .power = watts(i),
                      .state = StateIndex{0}});
  }
  return starts;
}

// In order of time; equal times keep the order in which they were drawn.
std::vector<Switch> random_switches() {
  const auto count = *rc::gen::inRange<std::size_t>(0, 60);
  std::vector<Switch> plan(count);
  for (Switch& entry : plan) {
    entry.meter = *rc::gen::inRange<std::uint32_t>(0, kMeters);
    entry.at = *rc::gen::inRange<std::int64_t>(0, kEnd + 1);
    entry.power = microwatts(*rc::gen::inRange<std::int64_t>(0, 5'000'000'000));
    entry.state =
        StateIndex{static_cast<std::uint8_t>(*rc::gen::inRange(0, entry.meter < 4 ? 4 : 1))};
  }
  std::stable_sort(plan.begin(), plan.end(),
                   [](const Switch& a, const Switch& b) { return a.at < b.at; });
  return plan;
}

Ledger run(const std::vector<Switch>& plan, std::uint32_t first = 0,
           std::uint32_t count = kMeters) {
  Ledger ledger({kChannel, kCore}, some_meters(first, count), TimePoint{});
  for (const Switch& entry : plan) {
    if (entry.meter < first || entry.meter >= first + count) continue;
    ledger.switch_power(MeterIndex{entry.meter - first}, TimePoint(Duration(entry.at)), entry.power,
                        entry.state);
  }
  ledger.close(TimePoint(Duration(kEnd)));
  return ledger;
}

// The same sums without a ledger: power times time, switch by switch.
Energy energy_by_hand(const std::vector<Switch>& plan, std::uint32_t meter) {
  Energy sum;
  Power power = watts(meter);
  std::int64_t since = 0;
  for (const Switch& entry : plan) {
    if (entry.meter != meter) continue;
    sum += power * Duration(entry.at - since);
    power = entry.power;
    since = entry.at;
  }
  return sum + power * Duration(kEnd - since);
}

RC_GTEST_PROP(LedgerProperty, IsTheSumByHandAndBalances, ()) {
  const auto plan = random_switches();
  const Ledger ledger = run(plan);
  Energy sum;
  for (std::uint32_t meter = 0; meter < kMeters; ++meter) {
    RC_ASSERT((ledger.energy(MeterIndex{meter}) == energy_by_hand(plan, meter)));
    sum += energy_by_hand(plan, meter);
  }
  RC_ASSERT((ledger.total() == sum));
  RC_ASSERT(ledger.check().empty());
}

RC_GTEST_PROP(LedgerProperty, DoesNotDependOnTheOrderOfMeters, ()) {
  const auto plan = random_switches();
  auto by_meter = plan;
  std::stable_sort(by_meter.begin(), by_meter.end(),
                   [](const Switch& a, const Switch& b) { return a.meter > b.meter; });
  RC_ASSERT((run(by_meter) == run(plan)));
}

// Cutting an interval: switching to the power and state that a meter has already.
RC_GTEST_PROP(LedgerProperty, DoesNotDependOnHowTimeIsCut, ()) {
  const auto plan = random_switches();
  std::vector<Switch> cut;
  std::map<std::uint32_t, Switch> present;
  for (std::uint32_t meter = 0; meter < kMeters; ++meter)
    present[meter] = {meter, 0, watts(meter), StateIndex{0}};
  for (const Switch& entry : plan) {
    Switch again = present[entry.meter];
    again.at = *rc::gen::inRange<std::int64_t>(again.at, entry.at + 1);
    cut.push_back(again);
    cut.push_back(entry);
    present[entry.meter] = entry;
  }
  RC_ASSERT((run(cut) == run(plan)));
}

RC_GTEST_PROP(LedgerProperty, MergesInAnyOrderToTheWhole, ()) {
  const auto plan = random_switches();
  const Ledger a = run(plan, 0, 3);
  const Ledger b = run(plan, 3, 1);
  const Ledger c = run(plan, 4, 2);
  const auto left = merge(*merge(a, b), c);
  const auto right = merge(c, *merge(b, a));
  RC_ASSERT(left.has_value() && right.has_value());
  RC_ASSERT((*left == *right));
  RC_ASSERT((*left == run(plan)));
  RC_ASSERT(left->check().empty());
}

TEST(LedgerMerge, RefusesWhatDoesNotFit) {
  const Ledger whole = run({});
  const auto twice = merge(whole, run({}, 3, 2));
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().size(), 2U);
  EXPECT_EQ(twice.error()[0].message, "channel 3: is in both ledgers");
  EXPECT_EQ(twice.error()[1].message, "switch core 4: is in both ledgers");
  const Ledger open({kChannel}, {}, us(1));
  const auto other = merge(whole, open);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().size(), 3U);  // open, other classes, other times
}

TEST(LedgerCheck, NamesWhatDoesNotBalance) {
  const auto first_error = [](auto spoil) {
    Ledger ledger = run({});
    spoil(ledger);
    const Errors errors = ledger.check();
    return errors.empty() ? std::string("balances") : errors.front().message;
  };
  EXPECT_EQ(first_error([](Ledger&) {}), "balances");
  EXPECT_EQ(first_error([](Ledger& l) { LedgerSpoiler::residency(l, 4); }),
            "channel 1: its state times add up to 1000000008ps, but it ran for 1000000007ps");
  EXPECT_EQ(first_error([](Ledger& l) { LedgerSpoiler::since(l, 5); }),
            "switch core 5: its state times add up to 1000000007ps, but it ran for 1000000006ps");
  EXPECT_NE(first_error([](Ledger& l) {
              LedgerSpoiler::energy(l, 5);
            }).find("class switch core: energy of its meters"),
            std::string::npos);
  EXPECT_EQ(first_error([](Ledger& l) { LedgerSpoiler::transitions(l, 0); }),
            "class channel: number of transitions of its meters is 1, of the class 0");
  EXPECT_NE(first_error([](Ledger& l) { LedgerSpoiler::total(l); }).find("the classes add up to"),
            std::string::npos);
}

using LedgerDeathTest = ::testing::Test;

TEST(LedgerDeathTest, MisuseIsABug) {
  const auto one = some_meters(0, 1);
  Ledger ledger({kChannel, kCore}, one, us(10));
  ledger.switch_power(kFirst, us(20), watts(1), kSlow);
  EXPECT_DEATH(ledger.switch_power(kFirst, us(19), watts(1), kFull), "backwards");
  EXPECT_DEATH(ledger.close(us(19)), "backwards");
  EXPECT_DEATH(ledger.switch_power(MeterIndex{1}, us(20), watts(1), kFull), "unknown meter");
  EXPECT_DEATH(ledger.switch_power(kFirst, us(20), watts(1), StateIndex{4}), "unknown state");
  EXPECT_DEATH(ledger.switch_power(kFirst, us(20), watts(-1), kFull), "negative");
  EXPECT_DEATH(ledger.charge(kFirst, attojoules(-1)), "negative");
  EXPECT_DEATH(Ledger({kChannel}, std::vector<MeterStart>(2), us(0)), "ascend");
  ledger.close(us(20));
  EXPECT_DEATH(ledger.switch_power(kFirst, us(21), watts(1), kFull), "closed");
  EXPECT_DEATH(ledger.close(us(21)), "closed");
}

}  // namespace
}  // namespace ebb::power
