// SPDX-License-Identifier: Apache-2.0
#include "ebb/policy/registry.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace ebb::policy {
namespace {

ChannelSample channel(std::uint32_t id, State state) {
  return {.id = ChannelId{id}, .reverse = ChannelId{id ^ 1U}, .ladder = 5, .state = state};
}

TEST(AlwaysSlowest, BringsEveryChannelToItsSlowestRateHoweverBusy) {
  const auto made = make_policy("always-slowest", {{"period", "2ms"}});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->policy->sample_period(), Duration(std::chrono::milliseconds(2)));
  std::vector<ChannelSample> channels = {
      channel(0, active(RateStep{4})), channel(1, active(RateStep{0})),
      channel(2, asleep(RateStep{0})), channel(3, asleep(RateStep{2}))};
  channels[0].window = channels[0].busy = std::chrono::milliseconds(2);
  channels[0].queued = bytes(1'000'000);
  EXPECT_EQ(made->policy->decide({TimePoint{}, channels}),
            (std::vector<Action>{{ChannelId{0}, SetStep{RateStep{0}}},
                                 {ChannelId{2}, Wake{}},
                                 {ChannelId{3}, SetStep{RateStep{0}}},
                                 {ChannelId{3}, Wake{}}}));
}

}  // namespace
}  // namespace ebb::policy
