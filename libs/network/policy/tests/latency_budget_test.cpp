// SPDX-License-Identifier: Apache-2.0
#include "ebb/policy/registry.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace ebb::policy {
namespace {

using namespace std::chrono_literals;

// A channel between switches, which held traffic up, and one to a host, by which ten messages of
// 512 KiB left.
std::vector<ChannelSample> ten_messages(Duration held) {
  ChannelSample between{.id = ChannelId{0}, .reverse = ChannelId{0}, .ladder = 1, .window = 100us};
  between.held = held;
  ChannelSample out = between;
  out.id = out.reverse = ChannelId{1};
  out.held = {};
  out.to_host = true;
  out.sent = bytes(10 * 512 * 1024);
  return {between, out};
}

// What the policy arms after `samples` of them: idle time and patience.
SleepWhenIdle armed_after(int samples, Duration held, const char* budget = "10us") {
  const Made made = make_policy("latency-budget", {{"budget", budget}}).value();
  SleepWhenIdle last;
  for (int i = 0; i < samples; ++i) {
    const auto channels = ten_messages(held);
    const auto actions = made.policy->decide({TimePoint(i * 100us), channels});
    if (!actions.empty()) last = std::get<SleepWhenIdle>(actions.front().order);
  }
  return last;
}

// Ten messages may be held up by 100 us together: more than 60 is too much, less than 40 too
// little.
TEST(LatencyBudget, RestsLaterWhileMoreIsAddedThanTheBudgetAllows) {
  EXPECT_EQ(armed_after(1, 61us).idle, 16us);
  EXPECT_EQ(armed_after(2, 61us).idle, 32us);
  EXPECT_EQ(armed_after(40, 61us).idle, 8'192us);
}

TEST(LatencyBudget, StaysBetweenTwoAndThreeFifths) {
  EXPECT_EQ(armed_after(5, 60us).idle, 8us);
  EXPECT_EQ(armed_after(5, 40us).idle, 8us);
}

TEST(LatencyBudget, RestsSoonerAndThenWaitsForMoreWhereThereIsRoom) {
  EXPECT_EQ(armed_after(1, 39us), (SleepWhenIdle{4us, bytes(1), 0us}));
  EXPECT_EQ(armed_after(6, 39us), (SleepWhenIdle{1ns, bytes(1), 0us}));
  EXPECT_EQ(armed_after(7, 39us), (SleepWhenIdle{1ns, bytes(65'536), 1us}));
  EXPECT_EQ(armed_after(40, 39us), (SleepWhenIdle{1ns, bytes(65'536), 8us}));
}

TEST(LatencyBudget, ScalesWithTheBudget) {
  EXPECT_EQ(armed_after(1, 119us, "20us").idle, 8us + 0us);
  EXPECT_EQ(armed_after(1, 121us, "20us").idle, 16us);
}

}  // namespace
}  // namespace ebb::policy
