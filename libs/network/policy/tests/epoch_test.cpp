// SPDX-License-Identifier: Apache-2.0
#include "ebb/policy/policy.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>

namespace ebb::policy {
namespace {

using std::chrono::microseconds;

constexpr Duration kWindow = microseconds(10);
constexpr Duration kHalf = microseconds(5);

ChannelSample channel(std::uint32_t id, State state, Duration busy) {
  return {.id = ChannelId{id},
          .reverse = ChannelId{id ^ 1U},
          .rate_levels = 5,
          .window = kWindow,
          .busy = busy,
          .state = state};
}

std::vector<Action> decide(const ParameterTexts& parameters,
                           const std::vector<ChannelSample>& channels) {
  const Sample sample{TimePoint(kWindow), channels};
  EXPECT_TRUE(check(sample).empty());
  return make_policy("epoch", parameters)->policy->decide(sample);
}

Action set(std::uint32_t id, std::uint8_t level) {
  return {ChannelId{id}, SetRateLevel{RateLevel{level}}};
}

// One channel by itself: the level it is asked to take, or the one it has.
int next_level(std::uint8_t level, Duration busy, Duration window = kWindow,
               const char* target = "50%") {
  ChannelSample alone = channel(0, active(RateLevel{level}), busy);
  alone.reverse = alone.id;
  alone.window = window;
  const auto actions = decide({{"target", target}}, {alone});
  if (actions.empty()) return level;
  return index(std::get<SetRateLevel>(actions.at(0).order).rate_level);
}

TEST(Epoch, HasThePaperSettingsAsFallbacks) {
  const auto made = make_policy("epoch", {});
  EXPECT_EQ(made->policy->sample_period(), Duration(microseconds(10)));
  EXPECT_EQ(made->parameters, (ParameterTexts{{"target", "0.5"},
                                              {"epoch", "10us"},
                                              {"channels", "paired"},
                                              {"moves", "step"},
                                              {"bits", "0"},
                                              {"stagger", "1"}}));
}

// One picosecond on either side of the target decides; the target itself does not.
TEST(Epoch, DoublesAboveHalvesBelowAndStaysAtTheTarget) {
  EXPECT_EQ(next_level(2, kHalf - Duration(1)), 1);
  EXPECT_EQ(next_level(2, kHalf), 2);
  EXPECT_EQ(next_level(2, kHalf + Duration(1)), 3);
}

TEST(Epoch, StopsAtBothEndsOfTheRateTable) {
  EXPECT_EQ(next_level(0, Duration(0)), 0);
  EXPECT_EQ(next_level(4, kWindow), 4);
}

TEST(Epoch, StaysWhenTheWindowIsEmpty) { EXPECT_EQ(next_level(3, Duration(0), Duration(0)), 3); }

// In windows where a double no longer tells neighbouring picoseconds apart.
TEST(Epoch, ComparesExactlyInTheLargestWindows) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max() / 1000 * 1000;
  const Duration window(kMost);
  const Duration on_target(kMost / 1000 * 333);
  EXPECT_EQ(next_level(2, on_target, window, "33.3%"), 2);
  EXPECT_EQ(next_level(2, on_target + Duration(1), window, "33.3%"), 3);
  EXPECT_EQ(next_level(2, on_target - Duration(1), window, "33.3%"), 1);
}

TEST(Epoch, PairedChannelsGetTheFasterOfTheirWishes) {
  const auto at_two = active(RateLevel{2});
  const std::vector<ChannelSample> uneven = {channel(0, at_two, kWindow), channel(1, at_two, {})};
  EXPECT_EQ(decide({}, uneven), (std::vector{set(0, 3), set(1, 3)}));
  EXPECT_EQ(decide({{"channels", "independent"}}, uneven), (std::vector{set(0, 3), set(1, 1)}));
  const std::vector<ChannelSample> idle = {channel(0, at_two, {}), channel(1, at_two, {})};
  EXPECT_EQ(decide({}, idle), (std::vector{set(0, 1), set(1, 1)}));
  const std::vector<ChannelSample> on_target = {channel(0, at_two, kHalf), channel(1, at_two, {})};
  EXPECT_TRUE(decide({}, on_target).empty());
}

TEST(Epoch, PairedChannelsAtDifferentStepsMeet) {
  EXPECT_EQ(
      decide({}, {channel(0, active(RateLevel{4}), {}), channel(1, active(RateLevel{0}), {})}),
      (std::vector{set(0, 3), set(1, 3)}));
}

TEST(Epoch, APairedLinkWaitsForBothDirections) {
  const TimePoint soon{microseconds(11)};
  const auto busy = channel(0, active(RateLevel{2}), kWindow);
  for (const State& other : {changing(active(RateLevel{3}), soon), asleep(RateLevel{2})}) {
    EXPECT_TRUE(decide({}, {busy, channel(1, other, {})}).empty());
    EXPECT_EQ(decide({{"channels", "independent"}}, {busy, channel(1, other, {})}),
              std::vector{set(0, 3)});
  }
  EXPECT_TRUE(decide({}, {busy}).empty());  // the other direction is not in the sample
}

// Whatever the sample: one step at most when independent, always on the rate table, and paired is
// never slower than independent.
RC_GTEST_PROP(Epoch, PairedIsNeverSlowerThanIndependent, ()) {
  std::vector<ChannelSample> channels;
  for (std::uint32_t link = 0; link < 8; ++link) {
    const auto level = *rc::gen::inRange<int>(0, 5);
    for (const std::uint32_t id : {2 * link, 2 * link + 1}) {
      const Duration busy(*rc::gen::inRange<std::int64_t>(0, kWindow.count() + 1));
      channels.push_back(channel(id, active(RateLevel{static_cast<std::uint8_t>(level)}), busy));
    }
  }
  const auto steps_after = [&](const char* mode) {
    std::vector<int> levels;
    for (const ChannelSample& entry : channels) levels.push_back(index(entry.state.rate_level));
    for (const Action& action : decide({{"channels", mode}}, channels))
      levels.at(index(action.channel)) = index(std::get<SetRateLevel>(action.order).rate_level);
    return levels;
  };
  const auto paired = steps_after("paired");
  const auto independent = steps_after("independent");
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const int before = index(channels[i].state.rate_level);
    RC_ASSERT(std::abs(independent[i] - before) <= 1);
    RC_ASSERT(paired[i] >= 0 && paired[i] <= 4);
    RC_ASSERT(paired[i] == std::max(independent[i], independent[i ^ 1U]));
  }
}

TEST(Epoch, MovesToTheEndsOfTheRateTableWhenAsked) {
  const ParameterTexts ends = {{"moves", "ends"}, {"channels", "independent"}};
  EXPECT_EQ(decide(ends, {channel(0, active(RateLevel{2}), kHalf + Duration(1)),
                          channel(1, active(RateLevel{2}), kHalf - Duration(1))}),
            (std::vector<Action>{set(0, 4), set(1, 0)}));
}

// Four looks per epoch. Three of them saw something, however little: 75 %.
TEST(Epoch, CountsTheBitsOfItsArray) {
  const auto made = make_policy("epoch", {{"bits", "4"}, {"channels", "independent"}});
  EXPECT_EQ(made->policy->sample_period(), Duration(microseconds(10)) / 4);
  std::vector<Action> actions;
  for (const int busy : {0, 1, 1, 1, 0}) {  // the first look is at the start
    ChannelSample one = channel(0, active(RateLevel{2}), Duration(busy));
    one.window = kWindow / 4;
    actions = made->policy->decide({TimePoint(kWindow), std::vector{one}});
  }
  EXPECT_EQ(actions, std::vector<Action>{set(0, 3)});
}

// Links 0 and 1 take turns; both directions of a link decide together.
TEST(Epoch, EndsForOneGroupOfLinksAfterTheOther) {
  const auto made = make_policy("epoch", {{"stagger", "2"}});
  std::vector<ChannelSample> channels;
  for (std::uint32_t id = 0; id < 4; ++id) {
    channels.push_back(channel(id, active(RateLevel{2}), kWindow));
  }
  const Sample sample{TimePoint(kWindow), channels};
  EXPECT_EQ(made->policy->decide(sample), (std::vector<Action>{set(0, 3), set(1, 3)}));
  EXPECT_EQ(made->policy->decide(sample), (std::vector<Action>{set(2, 3), set(3, 3)}));
  EXPECT_EQ(made->policy->decide(sample), (std::vector<Action>{set(0, 3), set(1, 3)}));
}

}  // namespace
}  // namespace ebb::policy
