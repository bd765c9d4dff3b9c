// SPDX-License-Identifier: Apache-2.0
#include "ebb/breakeven/low_power.hpp"

#include "ebb/power/ledger.hpp"
#include "ebb/traffic/host_source.hpp"
#include "ebb/traffic/injection.hpp"
#include "ebb/traffic/pattern.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <chrono>
#include <cmath>

namespace ebb::breakeven {
namespace {

using namespace std::chrono_literals;
using power::RateTable;
using power::Sourced;

RateTable sleeping() {
  RateTable rate_table;
  rate_table.steps = {{gigabits_per_second(1), 4, {Ratio(1, 1)}}};
  rate_table.sleep = Sourced<Ratio>{Ratio(1, 10)};
  rate_table.wake = Sourced<Duration>{17us};
  return rate_table;
}

RateTable stepping(int slow_lanes) {
  RateTable rate_table;
  rate_table.steps = {{gigabits_per_second(10), slow_lanes, {Ratio(42, 100)}},
                      {gigabits_per_second(40), 4, {Ratio(1, 1)}}};
  rate_table.rate_change = Sourced<Duration>{100ns};
  rate_table.lane_change = Sourced<Duration>{3us};
  return rate_table;
}

Energy energy_with_change(const ChangeTimes& times, Power on, Power low, Duration gap) {
  const Duration changes = times.down + times.up;
  return power::power_while_changing(on, low) * changes + low * (gap - changes);
}

TEST(LowPowerStates, OfARateTableThatSleeps) {
  const auto states = low_power_states(sleeping());
  ASSERT_EQ(states.size(), 1U);
  EXPECT_EQ(states[0], (LowPowerState{LowPower::asleep, Ratio(1, 10), ChangeTimes{0us, 17us}}));
}

TEST(LowPowerStates, AtTheSlowestLevelTakeALaneChangeWhereLanesDiffer) {
  EXPECT_EQ(
      low_power_states(stepping(4)),
      (std::vector{LowPowerState{LowPower::slowest, Ratio(42, 100), ChangeTimes{100ns, 100ns}}}));
  EXPECT_EQ(low_power_states(stepping(1)),
            (std::vector{LowPowerState{LowPower::slowest, Ratio(42, 100), ChangeTimes{3us, 3us}}}));
}

TEST(LowPowerStates, AtTheSlowestLevelWaitForTheSupply) {
  RateTable rate_table = stepping(4);
  rate_table.supply_per_us = Sourced<Voltage>{millivolts(100)};
  rate_table.steps.front().supply = Sourced<Voltage>{millivolts(800)};
  rate_table.steps.back().supply = Sourced<Voltage>{millivolts(1800)};
  EXPECT_EQ(low_power_states(rate_table)[0].own, (ChangeTimes{10us, 10us}));
}

TEST(LowPowerStates, WithoutPublishedTimesHaveNone) {
  RateTable rate_table = sleeping();
  rate_table.wake.reset();
  EXPECT_EQ(low_power_states(rate_table)[0].own, std::nullopt);
}

TEST(LowPowerStates, OfARateTableWithOneStepAndNoSleepDoNotExist) {
  RateTable rate_table = sleeping();
  rate_table.sleep.reset();
  EXPECT_TRUE(low_power_states(rate_table).empty());
}

// The equation of docs/models/breakeven.md, with the energies of the ledger.
TEST(BreakEven, IsWhereChangingAndStayingOnCostTheSame) {
  const Power on = milliwatts(500);
  for (const Power low : {watts(0), milliwatts(50), milliwatts(499)}) {
    for (const ChangeTimes times : {ChangeTimes{0us, 17us}, ChangeTimes{3us, 3us}}) {
      const Duration gap = break_even(times);
      EXPECT_EQ(energy_with_change(times, on, low, gap), on * gap);
      EXPECT_LT(energy_with_change(times, on, low, gap + Duration(1)), on * (gap + Duration(1)));
    }
  }
}

}  // namespace

// Rules for low-power states, where the answer is known: by hand, by queueing theory, and by the
// bound that holds for any traffic.
namespace {

using namespace std::chrono_literals;

constexpr DataRate kRate = gigabits_per_second(40);

HostChannels one_channel(std::vector<Transmission> transmissions, Duration until) {
  return {std::move(transmissions), TimePoint(until)};
}

// Messages of 10 us at 30 us and 70 us: gaps of 30, 30 and 20 us.
HostChannels three_gaps() {
  return one_channel({{TimePoint(30us), 10us}, {TimePoint(70us), 10us}}, 100us);
}

HostChannels of_injection(const std::string& name, const ParameterTexts& parameters,
                          Duration until) {
  const auto pattern = traffic::make_pattern("uniform", {.hosts = 16}, {}, 1).value();
  const auto injection = traffic::make_injection(name, kRate, parameters).value();
  const traffic::IndependentHosts workload(*pattern, *injection, 16);
  return HostChannels::of(workload, kRate, 1, TimePoint(until)).value();
}

TEST(Gaps, AreCountedFromTheFirstToTheLastMoment) {
  const Gaps gaps = gaps_of(three_gaps());
  EXPECT_EQ(gaps.gaps, 3);
  EXPECT_EQ(gaps.idle, 80us);
  EXPECT_EQ(gaps.longest, 30us);
  EXPECT_EQ(gaps.load, Ratio(1, 5));
  std::int64_t counted = 0;
  for (const GapDecade& decade : gaps.decades) {
    counted += decade.gaps;
    EXPECT_EQ(decade.gaps, decade.least == 10us ? 3 : 0);
  }
  EXPECT_EQ(counted, 3);
}

TEST(Gaps, OfAnOverloadedChannelAreNone) {
  const Gaps gaps = gaps_of(one_channel({{TimePoint(0us), 90us}, {TimePoint(5us), 90us}}, 100us));
  EXPECT_EQ(gaps.gaps, 0);
  EXPECT_EQ(gaps.load, Ratio(1, 1));
}

TEST(Oracle, UsesWhatIsLeftOfEachGapAndDelaysNothing) {
  const Replayed replayed = replay(three_gaps(), Rule::oracle, {2us, 23us});
  EXPECT_EQ(replayed.low_power, 5us + 5us);  // the last gap of 20 us is too short
  EXPECT_EQ(replayed.delay_ps, 0);
  EXPECT_EQ(replayed.messages, 2);
}

// Sleeps 30 us, sends from 35 to 45, sleeps 25 us, sends from 75 to 85, sleeps 15 us.
TEST(Immediate, DelaysEachMessageThatFindsItAsleep) {
  const Replayed replayed = replay(three_gaps(), Rule::immediate, {0us, 5us});
  EXPECT_EQ(replayed.low_power, 30us + 25us + 15us);
  EXPECT_EQ(replayed.delay_ps, 2 * Duration(5us).count());
}

// Called back 2 us after it began a change of 3 us, it is down at 13 us and back at 16 us.
TEST(Immediate, FinishesAChangeBeforeItComesBack) {
  const Replayed replayed =
      replay(one_channel({{TimePoint(0us), 10us}, {TimePoint(12us), 8us}}, 24us), Rule::immediate,
             {3us, 3us});
  EXPECT_EQ(replayed.low_power, 0us);  // free at 24 us
  EXPECT_EQ(replayed.delay_ps, Duration(4us).count());
}

// With a wake of 25 us the second message, created at 70 us, finds the first still being sent until
// 65 us and the channel waiting: no low-power state, no delay for it.
TEST(Timeout, WaitsOneBreakEvenGapBeforeItSleeps) {
  const Replayed replayed = replay(three_gaps(), Rule::timeout, {0us, 25us});
  EXPECT_EQ(replayed.low_power, 5us);
  EXPECT_EQ(replayed.delay_ps, Duration(25us).count());
}

// 50,000 bytes, 10 us of a link, every 40 us.
TEST(HostChannels, OfMessagesInStepHaveEqualGaps) {
  const HostChannels channels =
      of_injection("periodic", {{"load", "25%"}, {"size", "50kB"}, {"spread", "0"}}, 4ms);
  EXPECT_EQ(channels.count(), 32U);
  for (std::size_t host = 0; host < 16; ++host) EXPECT_EQ(channels.channel(host).size(), 100U);
  EXPECT_EQ(channels.transmissions(), 2 * 16 * 100);
  EXPECT_EQ(channels.channel(3)[1], (Transmission{TimePoint(40us), 10us}));
}

TEST(HostChannels, RefuseMoreTimeThanAddsUp) {
  const auto pattern = traffic::make_pattern("uniform", {.hosts = 1'000'000}, {}, 1).value();
  const auto injection =
      traffic::make_injection("poisson", kRate, {{"load", "1%"}, {"size", "1kB"}}).value();
  const traffic::IndependentHosts workload(*pattern, *injection, 1'000'000);
  EXPECT_FALSE(HostChannels::of(workload, kRate, 1, TimePoint(1h)));
}

// Messages at random times, the M/D/1 queue with a set-up. Idle periods are exponential with the
// rate l of the messages, so with load r, wake w and p the chance that the channel sleeps in a gap:
//   oracle     (1 - r) exp(-l w)
//   on demand  (1 - r) p / (1 + l w p), p = 1 when immediate, exp(-l w) with the timeout w
//   delay      (2 w p + l w^2 p) / (2 (1 + l w p)), Welch's exceptional first service
class PoissonChannels : public testing::TestWithParam<std::int64_t> {
 protected:
  static constexpr double kLoad = 0.3;
  static constexpr double kPerSecond = kLoad / 10e-6;  // messages of 10 us

  static void expect_on_demand(const RuleResult& seen, double chance, double wake) {
    const double setups = 1 + kPerSecond * wake * chance;
    EXPECT_NEAR(seen.low_power_share / ((1 - kLoad) * chance / setups), 1, 0.02);
    const double delay = (2 * wake * chance + kPerSecond * wake * wake * chance) / (2 * setups);
    EXPECT_NEAR(static_cast<double>(seen.delay.count()) * 1e-12 / delay, 1, 0.03);
  }
};

TEST_P(PoissonChannels, SleepAsQueueingTheorySays) {
  const HostChannels channels = of_injection("poisson", {{"load", "30%"}, {"size", "50kB"}}, 400ms);
  const Duration wake(GetParam());
  const double seconds = static_cast<double>(wake.count()) * 1e-12;
  const double longer = std::exp(-kPerSecond * seconds);  // share of gaps longer than a wake
  const Point point = point_of(channels, change_times(LowPower::asleep, wake));
  EXPECT_NEAR(point.oracle.value().low_power_share / ((1 - kLoad) * longer), 1, 0.02);
  expect_on_demand(point.immediate.value(), 1, seconds);
  expect_on_demand(point.timeout.value(), longer, seconds);
}

INSTANTIATE_TEST_SUITE_P(Wakes, PoissonChannels,
                         testing::Values(1'000'000, 10'000'000, 30'000'000, 60'000'000));

// Whatever the traffic: of the idle time, `timeout` leaves at most twice unused what `oracle`
// does.
TEST(Timeout, LosesAtMostTwiceWhatOracleLoses) {
  EXPECT_TRUE(rc::check([] {
    const auto gaps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 60));
    const ChangeTimes times{Duration(*rc::gen::inRange(0, 20)), Duration(*rc::gen::inRange(1, 40))};
    std::vector<Transmission> transmissions;
    TimePoint at;
    for (const int gap : gaps) {
      at += Duration(gap);
      transmissions.push_back({at, Duration(*rc::gen::inRange(0, 20))});
    }
    const HostChannels channels =
        one_channel(transmissions, (at + Duration(30)).time_since_epoch());
    const Duration idle = gaps_of(channels).idle;
    const Duration lost = idle - replay(channels, Rule::timeout, times).low_power;
    RC_ASSERT(lost <= 2 * (idle - replay(channels, Rule::oracle, times).low_power));
  }));
}

TEST(Curve, SpansTenNanosecondsToTenSeconds) {
  EXPECT_EQ(decades().size(), 10U);
  EXPECT_EQ(decades().front(), 10ns);
  EXPECT_EQ(decades().back(), 10s);
  EXPECT_EQ(thirds_of_decades().size(), 28U);
  EXPECT_EQ(thirds_of_decades().back(), 10s);
}

TEST(Curve, DoesNotJudgeGapsLongerThanItLooked) {
  EXPECT_TRUE(point_of(three_gaps(), {0us, 1s}).oracle);  // no gap is as long as the 100 us
  const HostChannels silent = one_channel({}, 100us);
  EXPECT_DOUBLE_EQ(point_of(silent, {0us, 60us}).oracle.value().low_power_share, 0.4);
  EXPECT_FALSE(point_of(silent, {0us, 101us}).oracle);
}

TEST(Curve, DoesNotShowDelayingRulesInTooShortATime) {
  const HostChannels channels = three_gaps();  // 100 us
  EXPECT_TRUE(point_of(channels, {0us, 10us}).immediate);
  EXPECT_FALSE(point_of(channels, {0us, 11us}).immediate);
  EXPECT_FALSE(point_of(channels, {6us, 6us}).timeout);
}

}  // namespace
}  // namespace ebb::breakeven
