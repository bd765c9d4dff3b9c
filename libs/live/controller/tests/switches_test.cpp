// SPDX-License-Identifier: Apache-2.0
//
// Whole switches of a leaf-spine out of use and back: all neighbours avoid a spine before one of
// its ports goes down, and all of them can use it before one does.
#include "a_spine.hpp"

#include <gtest/gtest.h>

#include <set>

namespace ebb::controller {
namespace {

TEST_F(ASpine, IsDrainedSwitchedOffAndComesBack) {
  for (const std::uint32_t spine : {kFirst, kSecond, kLast}) {
    powered.clear();
    ASSERT_EQ(controller->drain_switches(now, {spine}), std::nullopt);
    EXPECT_EQ(controller->switch_state(spine), SwitchState::draining);
    pass(seconds(1));
    EXPECT_EQ(controller->switch_state(spine), SwitchState::off);
    EXPECT_EQ(states(spine), std::set{LinkState::asleep});
    EXPECT_TRUE(off.contains(spine));
    ASSERT_EQ(controller->undrain_switches(now, {spine}), std::nullopt);
    pass(seconds(2));
    EXPECT_EQ(controller->switch_state(spine), SwitchState::in_use);
    EXPECT_EQ(states(spine), std::set{LinkState::active});
    EXPECT_EQ(powered, (std::vector{false, true}));
    pass(seconds(6));  // what has failed nearby, nothing, is forgotten
  }
  EXPECT_TRUE(diverted.empty());
  EXPECT_TRUE(down.empty());
}

TEST_F(ASpine, TwoAreDrainedTogetherButNotAll) {
  EXPECT_NE(controller->drain_switches(now, {kFirst, kSecond, kLast}), std::nullopt);
  EXPECT_EQ(controller->drain_switches(now, {kFirst, kLast}), std::nullopt);
  pass(seconds(1));
  EXPECT_EQ(off, (std::set{kFirst, kLast}));
  const auto why = controller->drain_switches(now, {kSecond});
  ASSERT_TRUE(why);
  EXPECT_NE(why->find("would not reach"), std::string::npos) << *why;
  EXPECT_EQ(controller->undrain_switches(now, {kFirst, kLast}), std::nullopt);
  pass(seconds(2));
  EXPECT_TRUE(controller->switches_out().empty());
}

TEST_F(ASpine, AHostThatHangsOnASwitchIsNamed) {
  const auto why = controller->drain_switches(now, {1});
  ASSERT_TRUE(why);
  EXPECT_NE(why->find("hosts hang on s1: h3, h4, h5"), std::string::npos) << *why;
}

TEST_F(ASpine, ABusyNeighbourIsNotOverloaded) {
  const LinkId link = links_of(kFirst)[0];
  // 100 bytes each 10 ms are 0.08 % of 100 Mb/s: many frames at once.
  for (int i = 0; i < 300; ++i) {
    frames[topology::forward(link)] += 10'000;
    pass(milliseconds(10));
  }
  const auto why = controller->drain_switches(now, {kFirst});
  ASSERT_TRUE(why);
  EXPECT_NE(why->find("might be used"), std::string::npos) << *why;
}

// Frames still come: nothing goes down, and after the time to drain all is as before.
TEST_F(ASpine, ThatIsNotQuietIsUsedAgain) {
  busy.insert(topology::forward(links_of(kLast)[1]));
  ASSERT_EQ(controller->drain_switches(now, {kLast}), std::nullopt);
  pass(seconds(1));
  EXPECT_TRUE(down.empty());
  pass(seconds(3));
  EXPECT_EQ(controller->switch_state(kLast), SwitchState::in_use);
  EXPECT_TRUE(diverted.empty());
  EXPECT_TRUE(powered.empty());
}

TEST_F(ASpine, WithoutAnOutletIsOnlyDrained) {
  has_power = false;
  make();
  joined = false;
  pass(seconds(1));
  ASSERT_EQ(controller->drain_switches(now, {kFirst}), std::nullopt);
  pass(seconds(1));
  EXPECT_EQ(controller->switch_state(kFirst), SwitchState::drained);
  EXPECT_TRUE(powered.empty());
  ASSERT_EQ(controller->undrain_switches(now, {kFirst}), std::nullopt);
  pass(seconds(1));
  EXPECT_EQ(controller->switch_state(kFirst), SwitchState::in_use);
}

TEST_F(ASpine, ThatDoesNotComeBackIsLostAndTriedAgain) {
  ASSERT_EQ(controller->drain_switches(now, {kSecond}), std::nullopt);
  pass(seconds(1));
  boots = false;
  ASSERT_EQ(controller->undrain_switches(now, {kSecond}), std::nullopt);
  pass(seconds(6));
  EXPECT_EQ(controller->switch_state(kSecond), SwitchState::lost);
  EXPECT_EQ(states(kSecond), std::set{LinkState::asleep});
  EXPECT_EQ(states(kFirst), std::set{LinkState::active});
  boots = true;
  pass(seconds(7));
  EXPECT_EQ(controller->switch_state(kSecond), SwitchState::in_use);
}

// Its other links are used when the one that loses probes has had its time.
TEST_F(ASpine, ComesBackWithoutALinkThatIsDead) {
  ASSERT_EQ(controller->drain_switches(now, {kLast}), std::nullopt);
  pass(seconds(1));
  lossy.insert(links_of(kLast)[0]);
  promised = false;
  ASSERT_EQ(controller->undrain_switches(now, {kLast}), std::nullopt);
  pass(seconds(5));
  EXPECT_EQ(controller->switch_state(kLast), SwitchState::returning);
  EXPECT_EQ(state(links_of(kLast)[1]), LinkState::waking);
  pass(seconds(8));
  EXPECT_EQ(controller->switch_state(kLast), SwitchState::in_use);
  EXPECT_EQ(state(links_of(kLast)[0]), LinkState::failed);
  EXPECT_EQ(state(links_of(kLast)[1]), LinkState::active);
}

TEST_F(ASpine, IsNotWokenByThePolicyOrByTheEndOfTheController) {
  ASSERT_EQ(controller->drain_switches(now, {kLast}), std::nullopt);
  pass(seconds(1));
  for (const LinkId link : links_of(kLast)) {
    for (const ChannelId one :
         {topology::forward(link), topology::reverse(topology::forward(link))})
      policy.next.push_back({policy::ChannelId{index(one)}, policy::Wake{}});
  }
  pass(seconds(1));
  controller->shut_down(now);
  pass(seconds(1));
  EXPECT_EQ(states(kLast), std::set{LinkState::asleep});
  EXPECT_TRUE(off.contains(kLast));
}

TEST_F(ASpineUnderAnotherController, StaysOff) {
  ASSERT_EQ(controller->drain_switches(now, {kFirst}), std::nullopt);
  pass(seconds(1));
  change_controller();
  pass(seconds(2));
  EXPECT_EQ(controller->switch_state(kFirst), SwitchState::off);
  EXPECT_EQ(states(kFirst), std::set{LinkState::asleep});
  ASSERT_EQ(controller->undrain_switches(now, {kFirst}), std::nullopt);
  pass(seconds(2));
  EXPECT_EQ(states(kFirst), std::set{LinkState::active});
}

// At any moment: a drain that was under way is undone, or has come to its end.
TEST_F(ASpineUnderAnotherController, IsNeverUsedHalf) {
  for (const std::uint32_t spine : {kFirst, kLast}) {
    for (int moment = 0; moment < 40; moment += spine == kFirst ? 1 : 7) {
      ASSERT_EQ(controller->drain_switches(now, {spine}), std::nullopt) << moment;
      pass(milliseconds(10 * moment));
      change_controller();
      check();
      pass(seconds(3));
      const SwitchState found = controller->switch_state(spine);
      EXPECT_TRUE(found == SwitchState::in_use || found == SwitchState::off) << moment;
      if (found == SwitchState::off) {
        ASSERT_EQ(controller->undrain_switches(now, {spine}), std::nullopt);
        pass(milliseconds(10 * moment));
        change_controller();
        pass(seconds(8));
      }
      EXPECT_EQ(states(spine), std::set{LinkState::active}) << moment;
      EXPECT_TRUE(diverted.empty()) << moment;
      pass(seconds(2));
    }
  }
}

}  // namespace
}  // namespace ebb::controller
