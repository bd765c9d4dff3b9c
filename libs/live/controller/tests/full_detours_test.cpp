// SPDX-License-Identifier: Apache-2.0
//
// Links wake when a detour of theirs has become too full since they went to sleep.
#include "triangle_fabric.hpp"

namespace ebb::controller {
namespace {

// The links from s1 to s2 and to s3 sleep, s2 first; frames of both take s1 to s0.
class FullDetour : public AFabric {
 protected:
  explicit FullDetour(RunMode mode = RunMode::live) : AFabric(mode, "4") {
    pass(seconds(3));
    ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
    pass(seconds(1));
    ask(policy::Sleep{}, {channel(1, 3), channel(3, 1)});
    pass(seconds(1));
  }
  // In Mb/s, of 100.
  void send(ChannelId from, std::uint64_t rate) { flow[index(from)] = rate * 1'250; }
  [[nodiscard]] std::uint64_t woken() const {
    return controller->decision_counts().woken_by_full_detours;
  }
  LinkId other = link_between(1, 3);
};

TEST_F(FullDetour, WakesNothingBelowTheLimit) {
  ASSERT_EQ(state(spare), LinkState::asleep);
  ASSERT_EQ(state(other), LinkState::asleep);
  send(channel(1, 0), 74);
  pass(seconds(5));
  EXPECT_EQ(state(spare), LinkState::asleep);
  EXPECT_EQ(state(other), LinkState::asleep);
  EXPECT_EQ(woken(), 0U);
}

TEST_F(FullDetour, WakesTheLinkThatSleptLastAndThenTheNext) {
  send(channel(1, 0), 90);
  while (woken() == 0) pass(milliseconds(10));
  EXPECT_EQ(state(other), LinkState::waking);
  EXPECT_EQ(state(spare), LinkState::asleep);
  EXPECT_EQ(controller->link(other).why(), "its detour from s1 to s0 is used 90 %");
  pass(seconds(1));
  EXPECT_EQ(state(other), LinkState::active);
  EXPECT_EQ(state(spare), LinkState::active);
  EXPECT_EQ(woken(), 2U);
}

TEST_F(FullDetour, WakesNoMoreWhenThatWasEnough) {
  send(channel(1, 0), 90);
  while (woken() == 0) pass(milliseconds(10));
  send(channel(1, 0), 60);
  pass(seconds(5));
  EXPECT_EQ(state(spare), LinkState::asleep);
  EXPECT_EQ(woken(), 1U);
}

// What a link has just moved is in its detour's counters in part: it must not count twice.
TEST_F(FullDetour, CountsWhatALinkMovesOnce) {
  ask(policy::Wake{}, {channel(1, 3)});
  send(channel(1, 3), 30);
  send(channel(1, 0), 18);
  pass(seconds(3));
  ask(policy::Sleep{}, {channel(1, 3), channel(3, 1)});
  send(channel(1, 3), 0);
  send(channel(1, 0), 48);
  pass(seconds(3));
  EXPECT_EQ(state(other), LinkState::asleep);
  EXPECT_EQ(woken(), 0U);
}

// Only links whose frames may take it.
TEST_F(FullDetour, WakesNothingForAChannelThatIsNoDetourOfTheirs) {
  send(channel(2, 3), 95);
  pass(seconds(3));
  EXPECT_EQ(woken(), 0U);
}

TEST_F(FullDetour, LeavesWhatIsDrained) {
  EXPECT_EQ(controller->drain(now, spare), std::nullopt);
  EXPECT_EQ(controller->drain(now, other), std::nullopt);
  send(channel(1, 0), 95);
  pass(seconds(3));
  EXPECT_EQ(state(spare), LinkState::asleep);
  EXPECT_EQ(state(other), LinkState::asleep);
  EXPECT_EQ(woken(), 0U);
}

class FullDetourInADryRun : public FullDetour {
 protected:
  FullDetourInADryRun() : FullDetour(RunMode::dry_run) {}
};

TEST_F(FullDetourInADryRun, SaysWhatWouldWake) {
  ASSERT_TRUE(controller->sleeps(spare));
  ASSERT_TRUE(controller->sleeps(other));
  (void)controller->take_journal();
  send(channel(1, 0), 90);
  pass(seconds(1));
  EXPECT_FALSE(controller->sleeps(spare));
  EXPECT_FALSE(controller->sleeps(other));
  EXPECT_TRUE(given.empty());
  const std::vector<Entry> journal = controller->take_journal();
  ASSERT_EQ(journal.size(), 2U);
  EXPECT_TRUE(journal[0].dry_run);
  EXPECT_EQ(journal[0].why, "would wake: its detour from s1 to s0 is used 90 %");
}

}  // namespace
}  // namespace ebb::controller
