// SPDX-License-Identifier: Apache-2.0
//
// Rules for resting, where the answer is known: by hand, by queueing theory, and by the bound that
// holds for any traffic.
#include "ebb/breakeven/replay.hpp"

#include "ebb/breakeven/curve.hpp"
#include "ebb/traffic/independent_hosts.hpp"
#include "ebb/traffic/injection.hpp"
#include "ebb/traffic/pattern.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <chrono>
#include <cmath>

namespace ebb::breakeven {
namespace {

using namespace std::chrono_literals;

constexpr DataRate kRate = gigabits_per_second(40);

HostChannels one_channel(std::vector<Sending> sendings, Duration until) {
  return {std::move(sendings), TimePoint(until)};
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

TEST(Ahead, RestsWhatIsLeftOfEachGapAndDelaysNothing) {
  const Rested rested = replay(three_gaps(), Rule::ahead, {2us, 23us});
  EXPECT_EQ(rested.resting, 5us + 5us);  // the last gap of 20 us is too short
  EXPECT_EQ(rested.delay_ps, 0);
  EXPECT_EQ(rested.messages, 2);
}

// Sleeps 30 us, sends from 35 to 45, sleeps 25 us, sends from 75 to 85, sleeps 15 us.
TEST(AtOnce, DelaysEachMessageThatFindsItAsleep) {
  const Rested rested = replay(three_gaps(), Rule::at_once, {0us, 5us});
  EXPECT_EQ(rested.resting, 30us + 25us + 15us);
  EXPECT_EQ(rested.delay_ps, 2 * Duration(5us).count());
}

// Called back 2 us after it began a change of 3 us, it is down at 13 us and back at 16 us.
TEST(AtOnce, FinishesAChangeBeforeItComesBack) {
  const Rested rested = replay(one_channel({{TimePoint(0us), 10us}, {TimePoint(12us), 8us}}, 24us),
                               Rule::at_once, {3us, 3us});
  EXPECT_EQ(rested.resting, 0us);  // free at 24 us
  EXPECT_EQ(rested.delay_ps, Duration(4us).count());
}

// With a wake of 25 us the second message, born at 70 us, finds the first still being sent until 65
// us and the channel waiting: no rest, no delay for it.
TEST(Timeout, WaitsOneBreakEvenGapBeforeItRests) {
  const Rested rested = replay(three_gaps(), Rule::timeout, {0us, 25us});
  EXPECT_EQ(rested.resting, 5us);
  EXPECT_EQ(rested.delay_ps, Duration(25us).count());
}

// 50,000 bytes, 10 us of a link, every 40 us.
TEST(HostChannels, OfMessagesInStepHaveEqualGaps) {
  const HostChannels channels =
      of_injection("periodic", {{"load", "25%"}, {"size", "50kB"}, {"spread", "0"}}, 4ms);
  EXPECT_EQ(channels.count(), 32U);
  for (std::size_t host = 0; host < 16; ++host) EXPECT_EQ(channels.channel(host).size(), 100U);
  EXPECT_EQ(channels.sendings(), 2 * 16 * 100);
  EXPECT_EQ(channels.channel(3)[1], (Sending{TimePoint(40us), 10us}));
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
//   ahead      (1 - r) exp(-l w)
//   on demand  (1 - r) p / (1 + l w p), p = 1 at once, exp(-l w) with the timeout w
//   delay      (2 w p + l w^2 p) / (2 (1 + l w p)), Welch's exceptional first service
class PoissonChannels : public testing::TestWithParam<std::int64_t> {
 protected:
  static constexpr double kLoad = 0.3;
  static constexpr double kPerSecond = kLoad / 10e-6;  // messages of 10 us

  static void expect_on_demand(const RuleSeen& seen, double chance, double wake) {
    const double setups = 1 + kPerSecond * wake * chance;
    EXPECT_NEAR(seen.resting / ((1 - kLoad) * chance / setups), 1, 0.02);
    const double delay = (2 * wake * chance + kPerSecond * wake * wake * chance) / (2 * setups);
    EXPECT_NEAR(static_cast<double>(seen.delay.count()) * 1e-12 / delay, 1, 0.03);
  }
};

TEST_P(PoissonChannels, RestAsQueueingTheorySays) {
  const HostChannels channels = of_injection("poisson", {{"load", "30%"}, {"size", "50kB"}}, 400ms);
  const Duration wake(GetParam());
  const double seconds = static_cast<double>(wake.count()) * 1e-12;
  const double longer = std::exp(-kPerSecond * seconds);  // share of gaps longer than a wake
  const Point point = point_of(channels, change_times(Where::asleep, wake));
  EXPECT_NEAR(point.ahead.value().resting / ((1 - kLoad) * longer), 1, 0.02);
  expect_on_demand(point.at_once.value(), 1, seconds);
  expect_on_demand(point.timeout.value(), longer, seconds);
}

INSTANTIATE_TEST_SUITE_P(Wakes, PoissonChannels,
                         testing::Values(1'000'000, 10'000'000, 30'000'000, 60'000'000));

// Whatever the traffic: of the idle time, `timeout` leaves at most twice unrested what `ahead`
// does.
TEST(Timeout, LosesAtMostTwiceWhatAheadLoses) {
  EXPECT_TRUE(rc::check([] {
    const auto gaps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 60));
    const ChangeTimes times{Duration(*rc::gen::inRange(0, 20)), Duration(*rc::gen::inRange(1, 40))};
    std::vector<Sending> sendings;
    TimePoint at;
    for (const int gap : gaps) {
      at += Duration(gap);
      sendings.push_back({at, Duration(*rc::gen::inRange(0, 20))});
    }
    const HostChannels channels = one_channel(sendings, (at + Duration(30)).time_since_epoch());
    const Duration idle = gaps_of(channels).idle;
    const Duration lost = idle - replay(channels, Rule::timeout, times).resting;
    RC_ASSERT(lost <= 2 * (idle - replay(channels, Rule::ahead, times).resting));
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
  EXPECT_TRUE(point_of(three_gaps(), {0us, 1s}).ahead);  // no gap is as long as the 100 us
  const HostChannels silent = one_channel({}, 100us);
  EXPECT_DOUBLE_EQ(point_of(silent, {0us, 60us}).ahead.value().resting, 0.4);
  EXPECT_FALSE(point_of(silent, {0us, 101us}).ahead);
}

TEST(Curve, DoesNotShowDelayingRulesInTooShortATime) {
  const HostChannels channels = three_gaps();  // 100 us
  EXPECT_TRUE(point_of(channels, {0us, 10us}).at_once);
  EXPECT_FALSE(point_of(channels, {0us, 11us}).at_once);
  EXPECT_FALSE(point_of(channels, {6us, 6us}).timeout);
}

}  // namespace
}  // namespace ebb::breakeven
