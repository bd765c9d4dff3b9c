// SPDX-License-Identifier: Apache-2.0
//
// The decisions of dynamic link shutdown, worked out by hand, and what is asked for because of
// them.
#include "ebb/policy/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace ebb::policy {
namespace {

using namespace std::chrono_literals;

Way row(std::uint32_t destination, const std::vector<std::uint32_t>& channels) {
  Way way{.device = 0, .destination = destination, .channels = {}};
  for (const std::uint32_t channel : channels) way.channels.push_back(ChannelId{channel});
  return way;
}

// Channels 0, 1, ... of device 0, each up and used for so many percent.
std::vector<ChannelSample> used(const std::vector<int>& percent) {
  std::vector<ChannelSample> channels;
  for (const int busy : percent) {
    const ChannelId id{static_cast<std::uint32_t>(channels.size())};
    ChannelSample channel{.id = id, .reverse = id, .ladder = 5};
    channel.window = 100us;
    channel.busy = busy * 1us;
    channel.state = active(RateStep{4});
    channels.push_back(channel);
  }
  return channels;
}

Made studied(const std::vector<Way>& ways, std::string_view name = "shutdown",
             const ParameterTexts& parameters = {}) {
  EXPECT_TRUE(check(ways).empty());
  Made made = make_policy(name, parameters).value();
  EXPECT_TRUE(made.policy->wants_ways());
  made.policy->study(ways);
  return made;
}

// Triggers left out.
std::vector<Action> decide(const Made& made, const std::vector<ChannelSample>& channels) {
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
const std::vector<Way> kTable = {row(10, {0, 1}), row(11, {1, 2}), row(12, {1, 3}),
                                 row(13, {2, 3})};

TEST(Shutdown, KeepsTheLinksThatMostRowsNameWhenAllIsIdle) {
  EXPECT_EQ(decide(studied(kTable), used({0, 0, 0, 0})), sleep({0, 3}));
  // Idle or not makes no difference below t_max.
  EXPECT_EQ(decide(studied(kTable), used({20, 0, 20, 20})), sleep({0, 3}));
}

// 10 uses 0 and 1 for 70 percent: both stay. 12 has 1 then, 11 as well; 13 needs one more.
TEST(Shutdown, KeepsAllLinksOfABusyDestination) {
  EXPECT_EQ(decide(studied(kTable), used({70, 0, 0, 0})), sleep({3}));
  EXPECT_EQ(decide(studied(kTable), used({0, 0, 30, 31})), sleep({0}))
      << "13 keeps 2 and 3, which serve 11 and 12; 10 has 0 and 1, and more rows name 1";
}

TEST(Shutdown, TMaxIsOfTheSumOverAllLinksOfADestination) {
  EXPECT_EQ(decide(studied(kTable), used({30, 30, 0, 0})), sleep({0, 3})) << "60 is not above 60";
  EXPECT_EQ(decide(studied(kTable), used({31, 30, 0, 0})), sleep({3}));
  EXPECT_EQ(decide(studied(kTable, "shutdown", {{"t_max", "20%"}}), used({21, 0, 0, 0})),
            sleep({3}));
}

// All of D is in D_a: only links below t_idle go, and none that is the last of a row.
TEST(Shutdown, ClosesIdleLinksWhenEveryDestinationIsBusy) {
  const std::vector<Way> both = {row(10, {0, 1, 2}), row(11, {0, 1, 3})};
  EXPECT_EQ(decide(studied(both), used({90, 5, 4, 0})), sleep({2, 3}));
  EXPECT_TRUE(decide(studied(both, "shutdown", {{"t_idle", "0"}}), used({90, 5, 4, 0})).empty());
  const std::vector<Way> tight = {row(10, {0}), row(10, {0, 1}), row(10, {2, 3})};
  EXPECT_EQ(decide(studied(tight), used({1, 90, 0, 0})), sleep({3}))
      << "0 is idle but alone in a row; of 2 and 3 one must stay";
}

// Packets that came down have fewer outputs than others to the same destination.
TEST(Shutdown, EveryRowOfADestinationKeepsALink) {
  const std::vector<Way> ways = {row(10, {0, 1, 2}), row(10, {2}), row(11, {0, 1}),
                                 row(12, {0, 1})};
  EXPECT_EQ(decide(studied(ways), used({0, 0, 0})), sleep({1}));
  // Usage of 10 is over all its rows together.
  EXPECT_TRUE(decide(studied(ways), used({30, 0, 31})).empty());
}

TEST(Shutdown, ASleepingLinkIsNotUsed) {
  auto channels = used({0, 0, 0, 99});
  channels[3].state = asleep(RateStep{4});
  EXPECT_EQ(decide(studied(kTable), channels), sleep({0}));
}

TEST(Shutdown, AsksOnlyForWhatIsNotSo) {
  const Made made = studied(kTable);
  auto channels = used({0, 0, 0, 0});
  EXPECT_EQ(decide(made, channels), sleep({0, 3}));
  channels[0].state = channels[3].state = asleep(RateStep{4});
  EXPECT_TRUE(decide(made, channels).empty());
  channels[2].busy = 61us;  // of 11 and 13
  EXPECT_EQ(decide(made, channels), (std::vector<Action>{{ChannelId{3}, Wake{}}}));
}

// 0 drains for a while and is still active when it is wanted again.
TEST(Shutdown, CallsBackALinkThatIsBeingDrained) {
  const Made made = studied(kTable);
  EXPECT_EQ(decide(made, used({0, 0, 0, 0})), sleep({0, 3}));
  EXPECT_EQ(decide(made, used({99, 0, 0, 0})),
            (std::vector<Action>{{ChannelId{0}, Wake{}}, {ChannelId{3}, Sleep{}}}));
  EXPECT_EQ(decide(made, used({99, 0, 0, 0})), sleep({3}));
}

// 1 is to stay but sleeps, so what is up stays until 1 is.
TEST(Shutdown, ClosesNothingBeforeWhatTakesItsPlaceIsUp) {
  const Made made = studied(kTable);
  auto channels = used({0, 0, 0, 0});
  channels[1].state = asleep(RateStep{4});
  EXPECT_EQ(decide(made, channels), (std::vector<Action>{{ChannelId{1}, Wake{}}}));
  channels[1].state = changing(active(RateStep{4}), TimePoint(1us));
  EXPECT_TRUE(decide(made, channels).empty());
  channels[1].state = active(RateStep{4});
  EXPECT_EQ(decide(made, channels), sleep({0, 3}));
}

TEST(Shutdown, ArmsEachLinkOnceAndLeavesOthersAlone) {
  const Made made = studied({row(10, {1, 2})});
  auto channels = used({0, 0, 0, 0});  // 0 and 3 lead to hosts: in no row
  for (ChannelSample& channel : channels) channel.window = channel.busy = Duration{};
  const std::vector<Action> armed = {{ChannelId{1}, WakeWhenQueued{bytes(1)}},
                                     {ChannelId{2}, WakeWhenQueued{bytes(1)}}};
  EXPECT_EQ(made.policy->decide({TimePoint(), channels}), armed) << "and nothing else at first";
  made.policy->learn({armed[1], TimePoint(), active(RateStep{4}), Reason::changing});
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
  EXPECT_EQ(
      decide(made, used({0, 50, 0, 0})),
      (std::vector<Action>{
          {ChannelId{0}, Sleep{}}, {ChannelId{2}, SetStep{RateStep{3}}}, {ChannelId{3}, Sleep{}}}));
  EXPECT_EQ(made.policy->sample_period(), 20us);
}

}  // namespace
}  // namespace ebb::policy
