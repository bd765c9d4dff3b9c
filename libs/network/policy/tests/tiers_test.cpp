// SPDX-License-Identifier: Apache-2.0
//
// The policies that open and close channels of higher tiers.
#include "ebb/policy/policy.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace ebb::policy {
namespace {

using namespace std::chrono_literals;

ChannelSample channel(std::uint32_t id, std::uint8_t tier, int busy_percent,
                      Mode mode = Mode::active) {
  ChannelSample sample{.id = ChannelId{id}, .reverse = ChannelId{id}, .tier = tier};
  sample.window = 100us;
  sample.busy = busy_percent * 1us;
  sample.state.mode = mode;
  return sample;
}

// Those that matter here, the triggers left out.
std::vector<Action> opened_or_closed(Policy& policy, const std::vector<ChannelSample>& channels) {
  std::vector<Action> result;
  for (const Action& action : policy.decide({TimePoint(), channels})) {
    if (!std::holds_alternative<WakeWhenQueued>(action.order)) result.push_back(action);
  }
  return result;
}

TEST(Stages, ClosesATierAtATimeWhileThereIsLittleTraffic) {
  const Made made = make_policy("stages", {}).value();
  std::vector<ChannelSample> channels = {channel(0, 0, 5), channel(1, 1, 5), channel(2, 2, 5)};
  EXPECT_EQ(opened_or_closed(*made.policy, channels),
            (std::vector<Action>{{ChannelId{2}, Sleep{}}}));
  channels[2].state.mode = Mode::asleep;
  EXPECT_EQ(opened_or_closed(*made.policy, channels),
            (std::vector<Action>{{ChannelId{1}, Sleep{}}}));
  channels[1].state.mode = Mode::asleep;
  EXPECT_TRUE(opened_or_closed(*made.policy, channels).empty()) << "tier 0 stays";
}

TEST(Stages, OpensAllWhenTheOpenOnesAreBusyAndNotForHosts) {
  const Made made = make_policy("stages", {}).value();
  std::vector<ChannelSample> channels = {channel(0, 0, 5), channel(1, 1, 5), channel(2, 0, 100)};
  channels[2].to_host = true;
  for (int i = 0; i < 3; ++i) (void)made.policy->decide({TimePoint(), channels});
  channels[1].state.mode = Mode::asleep;
  channels[0].busy = 40us;
  EXPECT_TRUE(opened_or_closed(*made.policy, channels).empty()) << "not above the mark";
  channels[0].busy = 41us;
  EXPECT_EQ(opened_or_closed(*made.policy, channels),
            (std::vector<Action>{{ChannelId{1}, Wake{}}}));
}

TEST(Consolidate, ClosesTheLeastUsedChannelOfEachSwitch) {
  const Made made = make_policy("consolidate", {}).value();
  std::vector<ChannelSample> channels = {channel(0, 0, 1), channel(1, 1, 20), channel(2, 1, 10),
                                         channel(3, 1, 30)};
  channels[3].device = 7;
  EXPECT_EQ(opened_or_closed(*made.policy, channels),
            (std::vector<Action>{{ChannelId{2}, Sleep{}}}));
}

TEST(Consolidate, OpensOneWhenAnyIsCrowded) {
  const Made made = make_policy("consolidate", {}).value();
  const std::vector<ChannelSample> channels = {channel(0, 0, 76), channel(1, 1, 1),
                                               channel(2, 1, 0, Mode::asleep),
                                               channel(3, 1, 0, Mode::asleep)};
  EXPECT_EQ(opened_or_closed(*made.policy, channels),
            (std::vector<Action>{{ChannelId{2}, Wake{}}}));
}

// Links 0-1, 2-3, 4-5, each from switch 1 to switches 2, 3, 4; busy in percent by channel.
std::vector<ChannelSample> star(const std::vector<int>& busy, std::uint8_t tier = 1) {
  std::vector<ChannelSample> channels;
  for (std::uint32_t id = 0; id < busy.size(); ++id) {
    channels.push_back(channel(id, tier, busy[id]));
    channels.back().reverse = ChannelId{id ^ 1U};
    channels.back().device = id % 2 == 0 ? 1 : 2 + id / 2;
  }
  return channels;
}

TEST(Consolidate, ClosesLinksThatOneOfTheirSwitchesChooses) {
  const Made alone = make_policy("consolidate", {}).value();
  const Made paired = make_policy("consolidate", {{"channels", "paired"}}).value();
  // Every other end has one link alone, and switch 1 chooses the first: by its busier channel.
  std::vector<ChannelSample> channels = star({5, 6, 2, 40, 8, 30});
  EXPECT_EQ(opened_or_closed(*paired.policy, channels),
            (std::vector<Action>{{ChannelId{0}, Sleep{}}, {ChannelId{1}, Sleep{}}}))
      << "both ends choose it";
  // By channel, switch 1 chooses 2, and the end of 0 chooses 1: no link sleeps.
  EXPECT_EQ(opened_or_closed(*alone.policy, channels),
            (std::vector<Action>{{ChannelId{1}, Sleep{}}, {ChannelId{2}, Sleep{}}}));
}

TEST(Consolidate, ClosesNoLinkWhoseOtherEndIsCrowded) {
  const Made paired = make_policy("consolidate", {{"channels", "paired"}}).value();
  std::vector<ChannelSample> channels = star({5, 6, 76, 2, 70, 70});
  EXPECT_TRUE(opened_or_closed(*paired.policy, channels).empty());
  channels[2].busy = 75us;
  EXPECT_EQ(opened_or_closed(*paired.policy, channels).size(), 2U);
}

TEST(Consolidate, OpensBothChannelsOfALink) {
  const Made paired = make_policy("consolidate", {{"channels", "paired"}}).value();
  std::vector<ChannelSample> channels = star({76, 6, 0, 0, 0, 0});
  for (const std::size_t which : {2U, 3U, 4U, 5U}) channels[which].state.mode = Mode::asleep;
  EXPECT_EQ(opened_or_closed(*paired.policy, channels),
            (std::vector<Action>{{ChannelId{2}, Wake{}}, {ChannelId{3}, Wake{}}}));
}

TEST(History, LetsChannelsRestThatHaveNotBeenBusy) {
  const Made made = make_policy("history", {}).value();
  std::vector<ChannelSample> channels = {channel(0, 0, 100)};
  const auto idle = [&] {
    const auto actions = made.policy->decide({TimePoint(), channels});
    return actions.empty() ? Duration{} : std::get<SleepWhenIdle>(actions[0].order).idle;
  };
  EXPECT_EQ(idle(), 1ns);         // expects 25 %
  EXPECT_EQ(idle(), Duration{});  // 44 %
  EXPECT_EQ(idle(), 1h);          // 58 %
  channels[0].busy = {};
  EXPECT_EQ(idle(), 1ns);  // 43 %
}

}  // namespace
}  // namespace ebb::policy
