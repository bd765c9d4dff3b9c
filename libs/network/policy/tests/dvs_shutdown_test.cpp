// SPDX-License-Identifier: Apache-2.0
//
// The policies dvs, shutdown and dvs-shutdown, with decisions worked out by hand.
#include "ebb/policy/policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace ebb::policy {
namespace {

using namespace std::chrono_literals;

// One channel at one of five rate levels, used for some percent of its window.
std::vector<ChannelSample> used(int percent, std::uint8_t level = 2, Duration window = 100us) {
  ChannelSample channel{.id = ChannelId{0}, .reverse = ChannelId{0}, .rate_levels = 5};
  channel.window = window;
  channel.busy = window / 100 * percent;
  channel.state = active(RateLevel{level});
  return {channel};
}

std::vector<Action> to_level(std::uint8_t to) {
  return {{ChannelId{0}, SetRateLevel{RateLevel{to}}}};
}

std::vector<Action> decide(const Made& made, const std::vector<ChannelSample>& channels) {
  return made.policy->decide({TimePoint(), channels});
}

TEST(Dvs, TheFirstWindowIsTheForecast) {
  const auto first = [](int percent) { return decide(*make_policy("dvs", {}), used(percent)); };
  EXPECT_EQ(first(39), to_level(1));
  EXPECT_TRUE(first(40).empty());
  EXPECT_TRUE(first(70).empty());
  EXPECT_EQ(first(71), to_level(3));
}

// 100, then 0: 75, 56.25, 42.2, 31.6 percent.
TEST(Dvs, ThePastCountsThreeTimesAsMuchAsTheLastWindow) {
  const Made made = make_policy("dvs", {}).value();
  EXPECT_EQ(decide(made, used(100)), to_level(3));
  EXPECT_EQ(decide(made, used(0)), to_level(3));
  EXPECT_TRUE(decide(made, used(0)).empty());
  EXPECT_TRUE(decide(made, used(0)).empty());
  EXPECT_EQ(decide(made, used(0)), to_level(1));
  const Made forgetful = make_policy("dvs", {{"weight", "0"}}).value();
  EXPECT_EQ(decide(forgetful, used(100)), to_level(3));
  EXPECT_EQ(decide(forgetful, used(0)), to_level(1));
}

TEST(Dvs, StaysInTheRateTable) {
  const Made made = make_policy("dvs", {}).value();
  EXPECT_TRUE(decide(made, used(0, 0)).empty());
  const Made other = make_policy("dvs", {}).value();
  EXPECT_TRUE(decide(other, used(100, 4)).empty());
}

TEST(Dvs, LeavesChannelsAloneThatChangeSleepOrHaveNoWindowYet) {
  const Made made = make_policy("dvs", {}).value();
  EXPECT_TRUE(decide(made, used(0, 2, 0us)).empty());
  auto busy = used(0);
  busy[0].state = changing(active(RateLevel{2}), TimePoint(1us));
  EXPECT_TRUE(decide(made, busy).empty());
  busy[0].state = asleep(RateLevel{2});
  EXPECT_TRUE(decide(made, busy).empty());
}

// What it did before it slept says nothing of what it is woken for.
TEST(Dvs, ForgetsWhenAsleep) {
  const Made made = make_policy("dvs", {}).value();
  (void)decide(made, used(0));
  auto sleeping = used(0);
  sleeping[0].state = asleep(RateLevel{2});
  (void)decide(made, sleeping);
  EXPECT_EQ(decide(made, used(71)), to_level(3));
}

// The decisions of dynamic link shutdown, worked out by hand, and what is asked for because of
// them.
NextHopSet row(std::uint32_t destination, const std::vector<std::uint32_t>& channels) {
  NextHopSet row{.device = 0, .destination = destination, .channels = {}};
  for (const std::uint32_t channel : channels) row.channels.push_back(ChannelId{channel});
  return row;
}

// Channels 0, 1, ... of device 0, each up and used for so many percent.
std::vector<ChannelSample> used(const std::vector<int>& percent) {
  std::vector<ChannelSample> channels;
  for (const int busy : percent) {
    const ChannelId id{static_cast<std::uint32_t>(channels.size())};
    ChannelSample channel{.id = id, .reverse = id, .rate_levels = 5};
    channel.window = 100us;
    channel.busy = busy * 1us;
    channel.state = active(RateLevel{4});
    channels.push_back(channel);
  }
  return channels;
}

Made studied(const std::vector<NextHopSet>& next_hops, std::string_view name = "shutdown",
             const ParameterTexts& parameters = {}) {
  EXPECT_TRUE(check(next_hops).empty());
  Made made = make_policy(name, parameters).value();
  EXPECT_TRUE(made.policy->needs_next_hops());
  made.policy->set_next_hops(next_hops);
  return made;
}

// Triggers left out.
std::vector<Action> decide_shutdown(const Made& made, const std::vector<ChannelSample>& channels) {
  auto actions = made.policy->decide({TimePoint(), channels});
  std::erase_if(actions, [](const Action& action) {
    return std::holds_alternative<WakeWhenQueued>(action.order);
  });
  return actions;
}

std::vector<Action> sleep(const std::vector<std::uint32_t>& channels) {
  std::vector<Action> actions;
  for (const std::uint32_t channel : channels) actions.push_back({ChannelId{channel}, Sleep{}});
  return actions;
}

// By appearances: 1 is in three rows and serves 10, 11 and 12. Then 2 and 3 are left for 13, in two
// rows each: the lower number.
const std::vector<NextHopSet> kTable = {row(10, {0, 1}), row(11, {1, 2}), row(12, {1, 3}),
                                        row(13, {2, 3})};

TEST(Shutdown, KeepsTheLinksThatMostRowsNameWhenAllIsIdle) {
  EXPECT_EQ(decide_shutdown(studied(kTable), used({0, 0, 0, 0})), sleep({0, 3}));
  // Idle or not makes no difference below t_max.
  EXPECT_EQ(decide_shutdown(studied(kTable), used({20, 0, 20, 20})), sleep({0, 3}));
}

// 10 uses 0 and 1 for 70 percent: both stay. 12 has 1 then, 11 as well; 13 needs one more.
TEST(Shutdown, KeepsAllLinksOfABusyDestination) {
  EXPECT_EQ(decide_shutdown(studied(kTable), used({70, 0, 0, 0})), sleep({3}));
  EXPECT_EQ(decide_shutdown(studied(kTable), used({0, 0, 30, 31})), sleep({0}))
      << "13 keeps 2 and 3, which serve 11 and 12; 10 has 0 and 1, and more rows name 1";
}

TEST(Shutdown, TMaxIsOfTheSumOverAllLinksOfADestination) {
  EXPECT_EQ(decide_shutdown(studied(kTable), used({30, 30, 0, 0})), sleep({0, 3}))
      << "60 is not above 60";
  EXPECT_EQ(decide_shutdown(studied(kTable), used({31, 30, 0, 0})), sleep({3}));
  EXPECT_EQ(decide_shutdown(studied(kTable, "shutdown", {{"t_max", "20%"}}), used({21, 0, 0, 0})),
            sleep({3}));
}

// All of D is in D_a: only links below t_idle go, and none that is the last of a row.
TEST(Shutdown, ClosesIdleLinksWhenEveryDestinationIsBusy) {
  const std::vector<NextHopSet> both = {row(10, {0, 1, 2}), row(11, {0, 1, 3})};
  EXPECT_EQ(decide_shutdown(studied(both), used({90, 5, 4, 0})), sleep({2, 3}));
  EXPECT_TRUE(
      decide_shutdown(studied(both, "shutdown", {{"t_idle", "0"}}), used({90, 5, 4, 0})).empty());
  const std::vector<NextHopSet> tight = {row(10, {0}), row(10, {0, 1}), row(10, {2, 3})};
  EXPECT_EQ(decide_shutdown(studied(tight), used({1, 90, 0, 0})), sleep({3}))
      << "0 is idle but alone in a row; of 2 and 3 one must stay";
}

// Packets that came down have fewer outputs than others to the same destination.
TEST(Shutdown, EveryRowOfADestinationKeepsALink) {
  const std::vector<NextHopSet> next_hops = {row(10, {0, 1, 2}), row(10, {2}), row(11, {0, 1}),
                                             row(12, {0, 1})};
  EXPECT_EQ(decide_shutdown(studied(next_hops), used({0, 0, 0})), sleep({1}));
  // Usage of 10 is over all its rows together.
  EXPECT_TRUE(decide_shutdown(studied(next_hops), used({30, 0, 31})).empty());
}

TEST(Shutdown, ASleepingLinkIsNotUsed) {
  auto channels = used({0, 0, 0, 99});
  channels[3].state = asleep(RateLevel{4});
  EXPECT_EQ(decide_shutdown(studied(kTable), channels), sleep({0}));
}

TEST(Shutdown, AsksOnlyForWhatIsNotSo) {
  const Made made = studied(kTable);
  auto channels = used({0, 0, 0, 0});
  EXPECT_EQ(decide_shutdown(made, channels), sleep({0, 3}));
  channels[0].state = channels[3].state = asleep(RateLevel{4});
  EXPECT_TRUE(decide_shutdown(made, channels).empty());
  channels[2].busy = 61us;  // of 11 and 13
  EXPECT_EQ(decide_shutdown(made, channels), (std::vector<Action>{{ChannelId{3}, Wake{}}}));
}

// 0 drains for a while and is still active when it is wanted again.
TEST(Shutdown, CallsBackALinkThatIsBeingDrained) {
  const Made made = studied(kTable);
  EXPECT_EQ(decide_shutdown(made, used({0, 0, 0, 0})), sleep({0, 3}));
  EXPECT_EQ(decide_shutdown(made, used({99, 0, 0, 0})),
            (std::vector<Action>{{ChannelId{0}, Wake{}}, {ChannelId{3}, Sleep{}}}));
  EXPECT_EQ(decide_shutdown(made, used({99, 0, 0, 0})), sleep({3}));
}

// 1 is to stay but sleeps, so what is up stays until 1 is.
TEST(Shutdown, ClosesNothingBeforeWhatTakesItsPlaceIsUp) {
  const Made made = studied(kTable);
  auto channels = used({0, 0, 0, 0});
  channels[1].state = asleep(RateLevel{4});
  EXPECT_EQ(decide_shutdown(made, channels), (std::vector<Action>{{ChannelId{1}, Wake{}}}));
  channels[1].state = changing(active(RateLevel{4}), TimePoint(1us));
  EXPECT_TRUE(decide_shutdown(made, channels).empty());
  channels[1].state = active(RateLevel{4});
  EXPECT_EQ(decide_shutdown(made, channels), sleep({0, 3}));
}

TEST(Shutdown, ArmsEachLinkOnceAndLeavesOthersAlone) {
  const Made made = studied({row(10, {1, 2})});
  auto channels = used({0, 0, 0, 0});  // 0 and 3 lead to hosts: in no row
  for (ChannelSample& channel : channels) channel.window = channel.busy = Duration{};
  const std::vector<Action> armed = {{ChannelId{1}, WakeWhenQueued{bytes(1)}},
                                     {ChannelId{2}, WakeWhenQueued{bytes(1)}}};
  EXPECT_EQ(made.policy->decide({TimePoint(), channels}), armed) << "and nothing else at first";
  made.policy->on_outcome({armed[1], TimePoint(), active(RateLevel{4}), Reason::changing});
  EXPECT_EQ(
      made.policy->decide({TimePoint(), used({0, 0, 0, 0})}),
      (std::vector<Action>{{ChannelId{2}, WakeWhenQueued{bytes(1)}}, {ChannelId{2}, Sleep{}}}));
}

TEST(Shutdown, LeavesADeviceAloneOfWhichALinkIsNotSeen) {
  auto channels = used({0, 0, 0, 0});
  channels.erase(channels.begin() + 1);
  EXPECT_TRUE(studied(kTable).policy->decide({TimePoint(), channels}).empty());
}

TEST(DvsShutdown, ClosesLinksAndSetsTheStepsOfTheOthers) {
  const Made made = studied(kTable, "dvs-shutdown");
  EXPECT_EQ(decide_shutdown(made, used({0, 50, 0, 0})),
            (std::vector<Action>{{ChannelId{0}, Sleep{}},
                                 {ChannelId{2}, SetRateLevel{RateLevel{3}}},
                                 {ChannelId{3}, Sleep{}}}));
  EXPECT_EQ(made.policy->sample_period(), 20us);
}

}  // namespace
}  // namespace ebb::policy
