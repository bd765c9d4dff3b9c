// SPDX-License-Identifier: Apache-2.0
#include "ebb/policy/registry.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace ebb::policy {
namespace {

using namespace std::chrono_literals;

ChannelSample channel(std::uint32_t id, std::uint8_t ladder) {
  return {.id = ChannelId{id},
          .reverse = ChannelId{id},
          .ladder = ladder,
          .state = active(RateStep{static_cast<std::uint8_t>(ladder - 1)})};
}

std::vector<Action> decide(Policy& policy, const std::vector<ChannelSample>& channels) {
  return policy.decide({TimePoint(), channels});
}

TEST(OnDemand, ArmsEachChannelOnceToSleep) {
  const Made made = make_policy("on-demand", {{"idle", "2us"}, {"queued", "4KiB"}}).value();
  const std::vector<ChannelSample> channels = {channel(3, 5), channel(8, 1)};
  const SleepWhenIdle order{.idle = 2us, .wake = bytes(4096)};
  EXPECT_EQ(decide(*made.policy, channels),
            (std::vector<Action>{{ChannelId{3}, order}, {ChannelId{8}, order}}));
  EXPECT_TRUE(decide(*made.policy, channels).empty());
}

TEST(OnDemand, RestsAtTheSlowestStepWhereThereAreSeveral) {
  const Made made = make_policy("on-demand", {{"rest", "slowest"}}).value();
  EXPECT_EQ(decide(*made.policy, {channel(3, 5), channel(8, 1)}),
            (std::vector<Action>{{ChannelId{3}, JumpWhenQueued{bytes(1), RateStep{4}}},
                                 {ChannelId{3}, StepWhenIdle{1ns, RateStep{0}}}}));
}

TEST(OnDemand, TriesAChannelAgainThatWasChanging) {
  const Made made = make_policy("on-demand", {}).value();
  std::vector<ChannelSample> channels = {channel(3, 5)};
  channels[0].state = changing(active(RateStep{4}), TimePoint(1us));
  EXPECT_TRUE(decide(*made.policy, channels).empty());
  channels[0].state = active(RateStep{4});
  const std::vector<Action> asked = decide(*made.policy, channels);
  ASSERT_EQ(asked.size(), 1U);
  made.policy->learn({asked[0], TimePoint(), channels[0].state, Reason::changing});
  EXPECT_EQ(decide(*made.policy, channels), asked);
}

}  // namespace
}  // namespace ebb::policy
