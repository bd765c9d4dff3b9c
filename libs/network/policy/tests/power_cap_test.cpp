// SPDX-License-Identifier: Apache-2.0
#include "ebb/policy/registry.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <vector>

namespace ebb::policy {
namespace {

using namespace std::chrono_literals;

ChannelSample channel(std::uint32_t id, std::uint8_t step, std::int64_t queued) {
  return {.id = ChannelId{id},
          .reverse = ChannelId{id},
          .ladder = 2,
          .slowest = watts(1),
          .full = watts(11),
          .window = 10us,
          .queued = bits(queued),
          .state = active(RateStep{step})};
}

// What has been allowed to each channel, as far as the answers tell.
class Permissions {
 public:
  explicit Permissions(std::size_t channels) : fast_(channels) {}

  void follow(const std::vector<Action>& actions) {
    for (const Action& action : actions) {
      if (std::holds_alternative<JumpWhenQueued>(action.order)) fast_[index(action.channel)] = true;
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
            (std::vector<Action>{{ChannelId{1}, JumpWhenQueued{bytes(1), RateStep{1}}},
                                 {ChannelId{1}, StepWhenIdle{1ns, RateStep{0}}}}));
  EXPECT_TRUE(made.policy->decide({TimePoint(), channels}).empty()) << "and stays there";
}

TEST(PowerCap, IsNotHandedOnBeforeItsHolderIsSlow) {
  const Made made = make_policy("power-cap", {{"share", "50%"}}).value();
  std::vector<ChannelSample> channels = {channel(0, 0, 9), channel(1, 0, 0), channel(2, 0, 0),
                                         channel(3, 0, 0)};
  (void)made.policy->decide({TimePoint(), channels});
  channels = {channel(0, 1, 1), channel(1, 0, 9), channel(2, 0, 0), channel(3, 0, 0)};
  EXPECT_EQ(made.policy->decide({TimePoint(), channels}),
            (std::vector<Action>{{ChannelId{0}, Disarm{}}, {ChannelId{0}, SetStep{RateStep{0}}}}));
  channels[0].state = changing(active(RateStep{0}), TimePoint(1us));
  EXPECT_TRUE(made.policy->decide({TimePoint(), channels}).empty());
  channels[0].state = active(RateStep{0});
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
      one.state = active(RateStep{static_cast<std::uint8_t>(fast ? 1 : 0)});
    }
    permissions.follow(made.policy->decide({TimePoint(round * 10us), channels}));
    Power most;
    for (std::size_t i = 0; i < kChannels; ++i) {
      most += permissions.is_fast(i) || index(channels[i].state.step) > 0 ? watts(11) : watts(1);
    }
    RC_ASSERT(most <= std::max(watts(12), scale(watts(132), Ratio(percent, 100))));
  }
}

}  // namespace
}  // namespace ebb::policy
