// SPDX-License-Identifier: Apache-2.0
//
// Links that share a detour: what the first one moves to it counts before a counter shows it.
#include "triangle_fabric.hpp"

namespace ebb::controller {
namespace {

class SharedDetour : public AFabric {
 protected:
  explicit SharedDetour(RunMode mode = RunMode::live) : AFabric(mode, "4") {
    for (const std::uint32_t to : {0U, 2U, 3U}) send(channel(1, to), 20);
    pass(seconds(3));
  }
  // In Mb/s, of 100.
  void send(ChannelId from, std::uint64_t rate) { flow[index(from)] = rate * 1'250; }
  [[nodiscard]] std::uint64_t refused() const {
    return controller->decision_counts().refused_to_sleep.at("max_detour_utilisation");
  }
  void ask_both() {
    policy.outcomes.clear();
    ask(policy::Sleep{}, {channel(1, 2), channel(2, 1), channel(1, 3), channel(3, 1)});
  }
  LinkId other = link_between(1, 3);
};

// 20 % on the detour and 20 % of each link: one of them may go, as 60 % is too much.
TEST_F(SharedDetour, IsNotTakenByTwoLinksInOneDecision) {
  ask_both();
  EXPECT_EQ(state(spare), LinkState::draining);
  EXPECT_EQ(state(other), LinkState::active);
  EXPECT_EQ(refused(), 1U);
  EXPECT_EQ(controller->objection(now, other), "s1 to s0 would be used 60 %");
}

TEST_F(SharedDetour, IsTakenByBothWhenBothFit) {
  for (const std::uint32_t to : {2U, 3U}) send(channel(1, to), 10);
  pass(seconds(1));
  ask_both();
  EXPECT_EQ(state(spare), LinkState::draining);
  EXPECT_EQ(state(other), LinkState::draining);
}

// What was moved is in the counters of the detour from then on, and is not counted twice.
TEST_F(SharedDetour, IsCountedOnceWhenItHasBeenMeasured) {
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
  send(channel(1, 2), 0);
  send(channel(1, 0), 25);  // some of it has ended meanwhile
  send(channel(1, 3), 24);
  while (state(spare) == LinkState::draining) pass(milliseconds(10));
  ASSERT_EQ(state(spare), LinkState::asleep);
  EXPECT_NE(controller->objection(now, other), std::nullopt)
      << "counters do not have it as a whole";
  pass(milliseconds(200));
  EXPECT_EQ(controller->objection(now, other), std::nullopt);
  send(channel(1, 0), 40);
  pass(milliseconds(200));
  EXPECT_EQ(controller->objection(now, other), "s1 to s0 would be used 64 %");
}

TEST_F(SharedDetour, IsFreeAgainWhenItsLinkIsBack) {
  EXPECT_EQ(controller->drain(now, spare), std::nullopt);
  pass(milliseconds(20));
  EXPECT_NE(controller->objection(now, other), std::nullopt);
  EXPECT_EQ(controller->undrain(now, spare), std::nullopt);
  pass(milliseconds(60));
  ASSERT_EQ(state(spare), LinkState::active);
  EXPECT_EQ(controller->objection(now, other), std::nullopt);
}

class SharedDetourInADryRun : public SharedDetour {
 protected:
  SharedDetourInADryRun() : SharedDetour(RunMode::dry_run) {}
};

// Frames go where they went: counters never show what a detour would carry.
TEST_F(SharedDetourInADryRun, CountsAsLongAsTheLinkWouldSleep) {
  ask_both();
  pass(seconds(5));
  EXPECT_TRUE(controller->sleeps(spare));
  EXPECT_FALSE(controller->sleeps(other));
  EXPECT_EQ(controller->objection(now, other), "s1 to s0 would be used 60 %");
  ask(policy::Wake{}, {channel(1, 2)});
  EXPECT_EQ(controller->objection(now, other), std::nullopt);
}

}  // namespace
}  // namespace ebb::controller
