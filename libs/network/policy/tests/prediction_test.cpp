// SPDX-License-Identifier: Apache-2.0
//
// Policies that expect something of what comes next: periodic and perf-bound.
#include "ebb/policy/policy.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <vector>

namespace ebb::policy {
namespace {

using namespace std::chrono_literals;

constexpr Duration kPeriod = 10us;

// One channel that is asleep, and busy in the windows that `is_busy` names by their end.
std::vector<std::pair<TimePoint, Action>> watch(Policy& policy, int samples,
                                                const std::function<bool(int sample)>& is_busy) {
  std::vector<std::pair<TimePoint, Action>> seen;
  for (int i = 0; i < samples; ++i) {
    ChannelSample channel{.id = ChannelId{0},
                          .reverse = ChannelId{0},
                          .window = i > 0 ? kPeriod : Duration{},
                          .state = asleep(RateLevel{0})};
    if (i > 0 && is_busy(i)) channel.busy = 1us;
    const std::vector<ChannelSample> channels = {channel};
    const TimePoint at(i * kPeriod);
    for (const Action& action : policy.decide({at, channels})) seen.emplace_back(at, action);
  }
  return seen;
}

std::vector<TimePoint> wakes(const std::vector<std::pair<TimePoint, Action>>& seen) {
  std::vector<TimePoint> times;
  for (const auto& [at, action] : seen) {
    if (std::holds_alternative<Wake>(action.order)) times.push_back(at);
  }
  return times;
}

Made periodic() {
  return make_policy("periodic", {{"ahead", "20us"}, {"quiet", "50us"}, {"period", "10us"}})
      .value();
}

// Phases of 30 us begin at 100, 300, 500 and 700 us: two periods of 200 us are known at 510 us.
TEST(Periodic, WakesBeforeThePhaseThatComesNext) {
  const Made made = periodic();
  const auto seen = watch(*made.policy, 68, [](int i) { return i > 10 && (i - 11) % 20 < 3; });
  EXPECT_EQ(wakes(seen), (std::vector{TimePoint(670us)}));
  // It does not fall asleep again before the phase should have come.
  const auto& before = seen[seen.size() - 2].second;
  EXPECT_EQ(before.order, (Order{SleepWhenIdle{50us, bytes(1), {}}}));
}

TEST(Periodic, SleepsOnDemandAgainWhenThePhaseDoesNotCome) {
  const Made made = periodic();
  const auto seen =
      watch(*made.policy, 100, [](int i) { return i > 10 && i < 60 && (i - 11) % 20 < 3; });
  ASSERT_EQ(wakes(seen), (std::vector{TimePoint(670us)}));
  EXPECT_EQ(seen.back().first, TimePoint(720us));
  EXPECT_EQ(seen.back().second.order, (Order{SleepWhenIdle{1us, bytes(1), {}}}));
}

TEST(Periodic, ExpectsNothingOfPhasesThatAreNotRegular) {
  const Made made = periodic();
  const auto seen = watch(*made.policy, 200, [](int i) { return i % 60 == 1 || i % 60 == 21; });
  EXPECT_TRUE(wakes(seen).empty());
}

// The idle time that is armed after so many windows of 100 us with such a stall.
Duration idle_after(int windows, Duration stall) {
  const Made made = make_policy("perf-bound", {{"bound", "1%"}, {"longest", "64us"}}).value();
  Duration idle{};
  for (int i = 0; i < windows; ++i) {
    const std::vector<ChannelSample> channels = {
        {.id = ChannelId{0}, .reverse = ChannelId{0}, .window = 100us, .wake_stall = stall}};
    for (const Action& action : made.policy->decide({TimePoint(i * 100us), channels}))
      idle = std::get<SleepWhenIdle>(action.order).idle;
  }
  return idle;
}

TEST(PerfBound, RestsLaterWhereMoreWaitedThanTheBoundAllows) {
  EXPECT_EQ(idle_after(1, 1us + Duration(1)), 2us);
  EXPECT_EQ(idle_after(3, 1us + Duration(1)), 8us);
  EXPECT_EQ(idle_after(20, 1us + Duration(1)), 64us);
}

TEST(PerfBound, StaysBetweenTheBoundAndHalfOfIt) {
  EXPECT_EQ(idle_after(5, 1us), 1us);
  EXPECT_EQ(idle_after(5, 500ns), 1us);
  EXPECT_EQ(idle_after(5, 0us), 1us);
}

}  // namespace
}  // namespace ebb::policy
