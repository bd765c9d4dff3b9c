// SPDX-License-Identifier: Apache-2.0
//
// Policies and decisions with a budget: of latency, of power, of data on a link.
#include "ebb/policy/policy.hpp"
#include "ebb/policy/regulate.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <vector>

namespace ebb::policy {
namespace {

using namespace std::chrono_literals;

// A channel between switches, which stalled traffic, and one to a host, by which ten messages of
// 512 KiB left.
std::vector<ChannelSample> ten_messages(Duration stall) {
  ChannelSample between{
      .id = ChannelId{0}, .reverse = ChannelId{0}, .rate_levels = 1, .window = 100us};
  between.wake_stall = stall;
  ChannelSample out = between;
  out.id = out.reverse = ChannelId{1};
  out.wake_stall = {};
  out.to_host = true;
  out.sent = bytes(10 * 512 * 1024);
  return {between, out};
}

// What the policy arms after `samples` of them: idle time and coalescing delay.
SleepWhenIdle armed_after(int samples, Duration stall, const char* budget = "10us") {
  const Made made = make_policy("latency-budget", {{"budget", budget}}).value();
  SleepWhenIdle last;
  for (int i = 0; i < samples; ++i) {
    const auto channels = ten_messages(stall);
    const auto actions = made.policy->decide({TimePoint(i * 100us), channels});
    if (!actions.empty()) last = std::get<SleepWhenIdle>(actions.front().order);
  }
  return last;
}

// Ten messages may be stalled by 100 us together: more than 60 is too much, less than 40 too
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

ChannelSample channel(std::uint32_t id, std::uint8_t level, std::int64_t queued) {
  return {.id = ChannelId{id},
          .reverse = ChannelId{id},
          .rate_levels = 2,
          .slowest = watts(1),
          .full = watts(11),
          .window = 10us,
          .queued = bits(queued),
          .state = active(RateLevel{level})};
}

// What has been allowed to each channel, as far as the answers tell.
class Permissions {
 public:
  explicit Permissions(std::size_t channels) : fast_(channels) {}

  void follow(const std::vector<Action>& actions) {
    for (const Action& action : actions) {
      if (std::holds_alternative<SpeedUpWhenQueued>(action.order))
        fast_[index(action.channel)] = true;
      if (std::holds_alternative<Disarm>(action.order)) fast_[index(action.channel)] = false;
    }
  }
  [[nodiscard]] bool is_fast(std::size_t i) const { return fast_[i]; }

 private:
  std::vector<bool> fast_;
};

// 4 W for being on, and 44 W in all: at half of that 18 W are left, one permission.
TEST(PowerCap, GoesToTheChannelThatNeedsItMost) {
  const Made made = make_policy("power-cap", {{"share", "50%"}}).value();
  const std::vector<ChannelSample> channels = {channel(0, 0, 5), channel(1, 0, 9), channel(2, 0, 0),
                                               channel(3, 0, 9)};
  EXPECT_EQ(made.policy->decide({TimePoint(), channels}),
            (std::vector<Action>{{ChannelId{1}, SpeedUpWhenQueued{bytes(1), RateLevel{1}}},
                                 {ChannelId{1}, SlowDownWhenIdle{1ns, RateLevel{0}}}}));
  EXPECT_TRUE(made.policy->decide({TimePoint(), channels}).empty()) << "and stays there";
}

TEST(PowerCap, IsNotHandedOnBeforeItsHolderIsSlow) {
  const Made made = make_policy("power-cap", {{"share", "50%"}}).value();
  std::vector<ChannelSample> channels = {channel(0, 0, 9), channel(1, 0, 0), channel(2, 0, 0),
                                         channel(3, 0, 0)};
  (void)made.policy->decide({TimePoint(), channels});
  channels = {channel(0, 1, 1), channel(1, 0, 9), channel(2, 0, 0), channel(3, 0, 0)};
  EXPECT_EQ(
      made.policy->decide({TimePoint(), channels}),
      (std::vector<Action>{{ChannelId{0}, Disarm{}}, {ChannelId{0}, SetRateLevel{RateLevel{0}}}}));
  channels[0].state = changing(active(RateLevel{0}), TimePoint(1us));
  EXPECT_TRUE(made.policy->decide({TimePoint(), channels}).empty());
  channels[0].state = active(RateLevel{0});
  EXPECT_EQ(made.policy->decide({TimePoint(), channels}).front().channel, ChannelId{1});
}

// Whatever is queued: what may run fast, or still does, never comes to more than the cap.
RC_GTEST_PROP(PowerCap, IsNeverExceeded, ()) {
  constexpr std::size_t kChannels = 12;
  const auto percent = *rc::gen::inRange(10, 100);
  const Made made = make_policy("power-cap", {{"share", std::to_string(percent) + "%"}}).value();
  Permissions permissions(kChannels);
  std::vector<ChannelSample> channels;
  for (std::uint32_t i = 0; i < kChannels; ++i) channels.push_back(channel(i, 0, 0));
  for (int round = 0; round < 20; ++round) {
    for (ChannelSample& one : channels) {
      one.queued = bits(*rc::gen::inRange(0, 3) * *rc::gen::inRange(0, 1000));
      // A channel that may is fast when something waits; one that may no longer slows down.
      const bool fast = permissions.is_fast(index(one.id)) && one.queued > DataSize{};
      one.state = active(RateLevel{static_cast<std::uint8_t>(fast ? 1 : 0)});
    }
    permissions.follow(made.policy->decide({TimePoint(round * 10us), channels}));
    Power most;
    for (std::size_t i = 0; i < kChannels; ++i) {
      most +=
          permissions.is_fast(i) || index(channels[i].state.rate_level) > 0 ? watts(11) : watts(1);
    }
    RC_ASSERT(most <= std::max(watts(12), scale(watts(132), Ratio(percent, 100))));
  }
}

// Links with one rate both ways: one direction that may be fast and has something to send makes
// both fast. Channels 0 and 1 are a link, 2 and 3, and so on.
RC_GTEST_PROP(PowerCap, OfPairedChannelsIsNeverExceeded, ()) {
  constexpr std::size_t kChannels = 12;
  const auto percent = *rc::gen::inRange(10, 100);
  const Made made =
      make_policy("power-cap", {{"share", std::to_string(percent) + "%"}, {"channels", "paired"}})
          .value();
  Permissions permissions(kChannels);
  std::vector<ChannelSample> channels;
  for (std::uint32_t i = 0; i < kChannels; ++i) {
    channels.push_back(channel(i, 0, 0));
    channels.back().reverse = ChannelId{i ^ 1U};
  }
  for (int round = 0; round < 20; ++round) {
    for (ChannelSample& one : channels)
      one.queued = bits(*rc::gen::inRange(0, 3) * *rc::gen::inRange(0, 1000));
    const auto is_fast = [&](std::size_t i) {
      return permissions.is_fast(i) && channels[i].queued > DataSize{};
    };
    for (std::size_t i = 0; i < kChannels; ++i)
      channels[i].state =
          active(RateLevel{static_cast<std::uint8_t>(is_fast(i) || is_fast(i ^ 1U))});
    permissions.follow(made.policy->decide({TimePoint(round * 10us), channels}));
    Power most;
    for (std::size_t i = 0; i < kChannels; ++i) {
      RC_ASSERT(permissions.is_fast(i) == permissions.is_fast(i ^ 1U));
      most +=
          permissions.is_fast(i) || index(channels[i].state.rate_level) > 0 ? watts(11) : watts(1);
    }
    RC_ASSERT(most <= std::max(watts(12), scale(watts(132), Ratio(percent, 100))));
  }
}

TEST(PowerCap, OfPairedChannelsGoesToTheLinkThatNeedsItMost) {
  const Made made =
      make_policy("power-cap", {{"share", "60%"}, {"channels", "paired"}, {"idle", "50ms"}})
          .value();
  std::vector<ChannelSample> channels = {channel(0, 0, 5), channel(1, 0, 0), channel(2, 0, 0),
                                         channel(3, 0, 9)};
  for (ChannelSample& one : channels) one.reverse = ChannelId{index(one.id) ^ 1U};
  std::vector<Action> expected;
  for (const std::uint32_t id : {2U, 3U}) {
    expected.push_back({ChannelId{id}, SpeedUpWhenQueued{bytes(1), RateLevel{1}}});
    expected.push_back({ChannelId{id}, SlowDownWhenIdle{50ms, RateLevel{0}}});
  }
  EXPECT_EQ(made.policy->decide({TimePoint(), channels}), expected);
}

TEST(LatencyBudget, TakesLongerTimesInALongerUnit) {
  const Made made = make_policy("latency-budget", {{"unit", "20ms"}}).value();
  EXPECT_EQ(made.policy->shortest_idle(), 20ms);
  const std::vector<ChannelSample> channels = {channel(0, 0, 0)};
  const auto actions = made.policy->decide({TimePoint(), channels});
  ASSERT_EQ(actions.size(), 1U);
  EXPECT_EQ(std::get<SleepWhenIdle>(actions.front().order).idle, 160s) << "125 * 20 ms * 2^6";
}

// Three LAGs of five links. The first carries 900 B in one direction and 100 B back, the second
// what two flows share, the third nothing.
std::vector<RegulatedFlow> flows() {
  return {{bytes(900), {0}}, {bytes(100), {1}}, {bytes(150), {2}}, {bytes(250), {1, 2}}};
}

constexpr int kLinks[] = {5, 5, 5};

TEST(Regulate, CountsEachDirectionOfEachPath) {
  const auto amounts = amount_by_channel(3, flows());
  EXPECT_EQ(amounts,
            (std::vector{bytes(900), bytes(350), bytes(400), bytes(0), bytes(0), bytes(0)}));
}

TEST(Regulate, LeavesTheFewestLinksBelowThePeak) {
  const auto links = [](std::int64_t peak) {
    return regulate(kLinks, flows(), {.peak = bytes(peak)}).links;
  };
  EXPECT_EQ(links(1000), (std::vector{1, 1, 1}));
  EXPECT_EQ(links(900), (std::vector{1, 1, 1}));
  EXPECT_EQ(links(899), (std::vector{2, 1, 1}));
  EXPECT_EQ(links(300), (std::vector{3, 2, 1}));
  EXPECT_EQ(links(180), (std::vector{5, 3, 1}));
}

TEST(Regulate, TellsWhatIsBeyondThePeak) {
  EXPECT_TRUE(regulate(kLinks, flows(), {.peak = bytes(180)}).beyond.empty());
  const Regulation much = regulate(kLinks, flows(), {.peak = bytes(100)});
  EXPECT_EQ(much.links, (std::vector{5, 4, 1}));
  EXPECT_EQ(much.beyond, std::vector<std::uint32_t>{0});
}

TEST(Regulate, SlowsOnlyALastLink) {
  const Regulation slow =
      regulate(kLinks, flows(), {.peak = bytes(500), .slower = {Ratio(1, 10), Ratio(1, 100)}});
  EXPECT_EQ(slow.links, (std::vector{2, 1, 1}));
  EXPECT_EQ(slow.rate, (std::vector{Ratio(1, 1), Ratio(1, 1), Ratio(1, 100)}));
  const Regulation less =
      regulate(kLinks, flows(), {.peak = bytes(4000), .slower = {Ratio(1, 10), Ratio(1, 100)}});
  EXPECT_EQ(less.rate, (std::vector{Ratio(1, 1), Ratio(1, 10), Ratio(1, 100)}));
}

}  // namespace
}  // namespace ebb::policy
