// SPDX-License-Identifier: Apache-2.0
//
// Triggers by the counters of one channel, and of a link that a controller moves by them.
#include "ebb/controller/triggers.hpp"

#include "triangle_fabric.hpp"

#include <gtest/gtest.h>

namespace ebb::controller {
namespace {

using policy::RateLevel;

constexpr ChannelId kChannel{7};

class ATrigger : public testing::Test {
 protected:
  // A reading of the port's counters, every 20 ms, with so many frames of 100 bytes more.
  void read(std::uint64_t more = 0) {
    now += milliseconds(20);
    frames += more;
    triggers.counted(now, kChannel, frames, 100 * frames);
  }
  void arm(const policy::Order& order) { triggers.arm(now, kChannel, order); }

  Triggers triggers;
  TimePoint now{seconds(1)};
  std::uint64_t frames = 1000;
};

TEST_F(ATrigger, WantsSleepAfterSoMuchIdleTime) {
  arm(policy::SleepWhenIdle{milliseconds(60), bytes(1), {}});
  read();
  EXPECT_FALSE(triggers.wants_sleep(now, kChannel)) << "a first reading shows nothing";
  read();
  read();
  EXPECT_FALSE(triggers.wants_sleep(now, kChannel)) << "40 ms";
  read(1);
  read();
  read();
  EXPECT_FALSE(triggers.wants_sleep(now, kChannel)) << "40 ms after a frame";
  read();
  EXPECT_TRUE(triggers.wants_sleep(now, kChannel));
}

TEST_F(ATrigger, IsNotHinderedByProbes) {
  arm(policy::SleepWhenIdle{milliseconds(60), bytes(1), {}});
  read();
  for (int i = 0; i < 3; ++i) {
    triggers.probed(now, kChannel);
    read(1);
  }
  EXPECT_TRUE(triggers.wants_sleep(now, kChannel));
  triggers.probed(now, kChannel);
  read();  // the probe is counted by the next one
  read(1);
  EXPECT_TRUE(triggers.wants_sleep(now, kChannel));
  triggers.probed(now, kChannel);
  read(2);
  EXPECT_FALSE(triggers.wants_sleep(now, kChannel)) << "one of the two was no probe";
}

TEST_F(ATrigger, TakesAProbeThatWasNeverCountedForLost) {
  arm(policy::SleepWhenIdle{milliseconds(60), bytes(1), {}});
  read();
  triggers.probed(now, kChannel);
  for (int i = 0; i < 20; ++i) read();
  read(1);
  EXPECT_FALSE(triggers.wants_sleep(now, kChannel));
}

TEST_F(ATrigger, WakesWhenEnoughHasTakenTheDetour) {
  arm(policy::SleepWhenIdle{milliseconds(60), bytes(500), seconds(1)});
  triggers.detoured(now, kChannel, 10'000);
  EXPECT_FALSE(triggers.wants_wake(now, kChannel)) << "a first reading shows nothing";
  triggers.detoured(now, kChannel, 10'499);
  EXPECT_FALSE(triggers.wants_wake(now, kChannel));
  EXPECT_TRUE(triggers.wants_wake(now + seconds(1), kChannel)) << "the coalescing delay is over";
  triggers.detoured(now, kChannel, 10'500);
  EXPECT_TRUE(triggers.wants_wake(now, kChannel));
  triggers.changed(now, kChannel);
  EXPECT_FALSE(triggers.wants_wake(now, kChannel));
}

TEST_F(ATrigger, SeesThatCountersBeganAgain) {
  arm(policy::SleepWhenIdle{milliseconds(60), bytes(500), seconds(1)});
  triggers.detoured(now, kChannel, 10'000);
  triggers.detoured(now, kChannel, 500);
  EXPECT_TRUE(triggers.wants_wake(now, kChannel));
}

TEST_F(ATrigger, SpeedsUpByWhatWasSentSinceItWasIdle) {
  arm(policy::SpeedUpWhenQueued{bytes(300), RateLevel{2}});
  arm(policy::SlowDownWhenIdle{milliseconds(40), RateLevel{0}});
  read();
  read(2);
  EXPECT_EQ(triggers.wants_fast(kChannel), std::nullopt);
  read(1);
  EXPECT_EQ(triggers.wants_fast(kChannel), RateLevel{2});
  EXPECT_EQ(triggers.wants_slow(now, kChannel), std::nullopt);
  read();
  EXPECT_EQ(triggers.wants_fast(kChannel), std::nullopt);
  read();
  EXPECT_EQ(triggers.wants_slow(now, kChannel), RateLevel{0});
}

TEST_F(ATrigger, HasOneLowPowerState) {
  arm(policy::SleepWhenIdle{milliseconds(20), bytes(1), {}});
  arm(policy::SlowDownWhenIdle{milliseconds(20), RateLevel{0}});
  read();
  read();
  EXPECT_FALSE(triggers.wants_sleep(now, kChannel));
  EXPECT_TRUE(triggers.wants_slow(now, kChannel));
  arm(policy::Disarm{});
  EXPECT_FALSE(triggers.any());
}

// The time in which frames took the detour is what a policy is told as the wake stall.
TEST_F(ATrigger, CountsHowLongTheDetourWasTaken) {
  arm(policy::SleepWhenIdle{milliseconds(60), bytes(1), {}});
  triggers.detoured(now, kChannel, 0);
  triggers.detoured(now, kChannel, 100);
  now += milliseconds(30);
  EXPECT_EQ(triggers.take_stall(now, kChannel), milliseconds(30));
  now += milliseconds(15);
  triggers.changed(now, kChannel);
  now += milliseconds(40);
  EXPECT_EQ(triggers.take_stall(now, kChannel), milliseconds(15));
  EXPECT_EQ(triggers.take_stall(now, kChannel), Duration{});
}

// A triangle in which s1-s2 may sleep; counters are read every 10 ms.
class ATriggeredLink : public AFabric {
 protected:
  explicit ATriggeredLink(RunMode mode = RunMode::live) : AFabric(mode) {}
  void arm(DataSize wake = bytes(1), Duration coalescing = {}) {
    ask(policy::SleepWhenIdle{milliseconds(200), wake, coalescing}, {channel(1, 2), channel(2, 1)});
    controller->detoured(now, channel(1, 2), group);
  }
  // Frames that want the link from s1 to s2 take the detour.
  void want(std::uint64_t more) {
    controller->detoured(now, channel(1, 2), group);
    group += more;
    controller->detoured(now, channel(1, 2), group);
    carry_out_orders();
  }
  std::uint64_t group = 1'000'000;
};

class ATriggeredDryRun : public ATriggeredLink {
 protected:
  ATriggeredDryRun() : ATriggeredLink(RunMode::dry_run) {}
};

TEST_F(ATriggeredLink, SleepsWhenBothWaysAreIdleAndWakesWhenEitherIsWanted) {
  flow[index(channel(2, 1))] = 100;
  pass(seconds(3));
  arm();
  pass(seconds(1));
  EXPECT_EQ(policy.outcomes.front().reason, policy::Reason::done);
  EXPECT_EQ(state(spare), LinkState::active) << "the other way is not idle";
  flow.clear();
  pass(milliseconds(190));
  EXPECT_EQ(state(spare), LinkState::active);
  pass(milliseconds(200));
  EXPECT_EQ(state(spare), LinkState::asleep);
  EXPECT_EQ(controller->link(spare).why(), "it is idle");
  EXPECT_TRUE(controller->wants_detours(channel(1, 2)));
  pass(seconds(1));  // min_sleep_time
  EXPECT_EQ(state(spare), LinkState::asleep);
  want(1);
  EXPECT_EQ(state(spare), LinkState::waking);
  pass(milliseconds(300));
  EXPECT_EQ(state(spare), LinkState::active);
  EXPECT_FALSE(controller->wants_detours(channel(1, 2)));
}

TEST_F(ATriggeredLink, WaitsForAsMuchAsItWasToldButNotForEver) {
  pass(seconds(3));
  arm(bytes(1000), milliseconds(500));
  pass(seconds(2));
  ASSERT_EQ(state(spare), LinkState::asleep);
  want(999);
  pass(milliseconds(400));
  EXPECT_EQ(state(spare), LinkState::asleep);
  pass(milliseconds(200));
  EXPECT_NE(state(spare), LinkState::asleep) << "by the coalescing delay";
}

TEST_F(ATriggeredLink, StaysUpWhileASafetyRuleObjects) {
  flow[index(channel(1, 0))] = 75'000;  // its detour is used 60 %
  pass(seconds(3));
  arm();
  pass(seconds(2));
  EXPECT_EQ(state(spare), LinkState::active);
  EXPECT_GT(controller->decision_counts().refused_to_sleep.at("max_detour_utilisation"), 0U);
  flow.clear();
  pass(seconds(1));
  EXPECT_EQ(state(spare), LinkState::asleep);
}

TEST_F(ATriggeredLink, KeepsTheLeastTimeAsleep) {
  pass(seconds(3));
  arm();
  while (state(spare) != LinkState::asleep) pass(milliseconds(10));
  want(100);
  EXPECT_EQ(state(spare), LinkState::asleep) << "it sleeps for a second at least";
  pass(milliseconds(900));
  EXPECT_EQ(state(spare), LinkState::asleep);
  pass(milliseconds(400));
  EXPECT_EQ(state(spare), LinkState::active) << "what was wanted is not forgotten";
}

TEST_F(ATriggeredLink, IsNotWokenWhenAnOperatorHasDrainedIt) {
  pass(seconds(3));
  arm();
  EXPECT_EQ(controller->drain(now, spare), std::nullopt);
  pass(seconds(2));
  ASSERT_EQ(state(spare), LinkState::asleep);
  want(100'000);
  pass(seconds(1));
  EXPECT_EQ(state(spare), LinkState::asleep);
}

// As stages asks: the detour is another next hop, and what takes it does not wake the link.
TEST_F(ATriggeredLink, IsNotWokenByWhatHasAnotherNextHop) {
  pass(seconds(3));
  ask(policy::WakeWhenQueued{bytes(1)}, {channel(1, 2), channel(2, 1)});
  EXPECT_EQ(policy.outcomes.back().reason, policy::Reason::done);
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
  pass(seconds(2));
  ASSERT_EQ(state(spare), LinkState::asleep);
  want(100'000);
  pass(seconds(1));
  EXPECT_EQ(state(spare), LinkState::asleep);
}

TEST_F(ATriggeredLink, IsNotArmedAtTheFarEndOfAHost) {
  pass(seconds(3));
  const ChannelId to_host = graph.outputs(graph.switch_node(0)).front();
  ASSERT_TRUE(graph.is_host(graph.target(to_host)));
  ask(policy::SleepWhenIdle{milliseconds(200), bytes(1), {}},
      {to_host, topology::reverse(to_host)});
  pass(seconds(1));
  for (const policy::Outcome& outcome : policy.outcomes)
    EXPECT_EQ(outcome.reason, policy::Reason::refused);
  EXPECT_FALSE(controller->has_triggers());
}

TEST_F(ATriggeredDryRun, SaysWhatItWouldDoByWhatTheLinkItselfSends) {
  pass(seconds(3));
  arm();
  pass(seconds(1));
  EXPECT_TRUE(controller->sleeps(spare));
  flow[index(channel(2, 1))] = 100;
  pass(milliseconds(100));
  EXPECT_FALSE(controller->sleeps(spare));
  const auto journal = controller->take_journal();
  ASSERT_EQ(journal.size(), 2U);
  EXPECT_EQ(journal[0].why, "would sleep: it is idle");
  EXPECT_EQ(journal[1].why, "would wake: frames want it");
  EXPECT_TRUE(given.empty());
}

}  // namespace
}  // namespace ebb::controller
