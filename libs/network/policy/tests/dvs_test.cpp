// SPDX-License-Identifier: Apache-2.0
#include "ebb/policy/registry.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace ebb::policy {
namespace {

using namespace std::chrono_literals;

// One channel at a step of five, used for some percent of its window.
std::vector<ChannelSample> used(int percent, std::uint8_t step = 2, Duration window = 100us) {
  ChannelSample channel{.id = ChannelId{0}, .reverse = ChannelId{0}, .ladder = 5};
  channel.window = window;
  channel.busy = window / 100 * percent;
  channel.state = active(RateStep{step});
  return {channel};
}

std::vector<Action> step(std::uint8_t to) { return {{ChannelId{0}, SetStep{RateStep{to}}}}; }

std::vector<Action> decide(const Made& made, const std::vector<ChannelSample>& channels) {
  return made.policy->decide({TimePoint(), channels});
}

TEST(Dvs, TheFirstWindowIsTheForecast) {
  const auto first = [](int percent) { return decide(*make_policy("dvs", {}), used(percent)); };
  EXPECT_EQ(first(39), step(1));
  EXPECT_TRUE(first(40).empty());
  EXPECT_TRUE(first(70).empty());
  EXPECT_EQ(first(71), step(3));
}

// 100, then 0: 75, 56.25, 42.2, 31.6 percent.
TEST(Dvs, ThePastCountsThreeTimesAsMuchAsTheLastWindow) {
  const Made made = make_policy("dvs", {}).value();
  EXPECT_EQ(decide(made, used(100)), step(3));
  EXPECT_EQ(decide(made, used(0)), step(3));
  EXPECT_TRUE(decide(made, used(0)).empty());
  EXPECT_TRUE(decide(made, used(0)).empty());
  EXPECT_EQ(decide(made, used(0)), step(1));
  const Made forgetful = make_policy("dvs", {{"weight", "0"}}).value();
  EXPECT_EQ(decide(forgetful, used(100)), step(3));
  EXPECT_EQ(decide(forgetful, used(0)), step(1));
}

TEST(Dvs, StaysOnTheLadder) {
  const Made made = make_policy("dvs", {}).value();
  EXPECT_TRUE(decide(made, used(0, 0)).empty());
  const Made other = make_policy("dvs", {}).value();
  EXPECT_TRUE(decide(other, used(100, 4)).empty());
}

TEST(Dvs, LeavesChannelsAloneThatChangeSleepOrHaveNoWindowYet) {
  const Made made = make_policy("dvs", {}).value();
  EXPECT_TRUE(decide(made, used(0, 2, 0us)).empty());
  auto busy = used(0);
  busy[0].state = changing(active(RateStep{2}), TimePoint(1us));
  EXPECT_TRUE(decide(made, busy).empty());
  busy[0].state = asleep(RateStep{2});
  EXPECT_TRUE(decide(made, busy).empty());
}

// What it did before it slept says nothing of what it is woken for.
TEST(Dvs, ForgetsAtRest) {
  const Made made = make_policy("dvs", {}).value();
  (void)decide(made, used(0));
  auto resting = used(0);
  resting[0].state = asleep(RateStep{2});
  (void)decide(made, resting);
  EXPECT_EQ(decide(made, used(71)), step(3));
}

}  // namespace
}  // namespace ebb::policy
