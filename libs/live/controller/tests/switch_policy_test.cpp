// SPDX-License-Identifier: Apache-2.0
//
// The policy takes whole spines of a leaf-spine out of use and wants them back, beside operators,
// safety rules, failures and other controllers.
#include "a_spine.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace ebb::controller {
namespace {

template <class Base>
class OfPolicy : public Base {
 protected:
  OfPolicy() {
    this->by_policy = true;
    this->make();
    this->joined = false;
    this->pass(seconds(1));
  }
  void want_off(std::uint32_t device) {
    this->want(policy::Sleep{}, device);
    this->pass(seconds(1));
  }
  [[nodiscard]] SwitchState at(std::uint32_t device) const {
    return this->controller->switch_state(device);
  }
  [[nodiscard]] std::string why(std::uint32_t device) const {
    const auto found = this->controller->switches_out().find(device);
    return found == this->controller->switches_out().end() ? "" : found->second.why;
  }
  [[nodiscard]] std::string objection(std::uint32_t device) const {
    return this->controller->objection_to_off(device).value_or("");
  }
};

using ASpineOfThePolicy = OfPolicy<ASpine>;
using ASpineOfThePolicyUnderAnotherController = OfPolicy<ASpineUnderAnotherController>;

TEST_F(ASpineOfThePolicy, SleepsAsAWholeAndComesBack) {
  want_off(kLast);
  EXPECT_EQ(at(kLast), SwitchState::off);
  EXPECT_EQ(controller->switches_out().at(kLast).by, DrainedBy::policy);
  EXPECT_EQ(states(kLast), std::set{LinkState::asleep});
  pass(seconds(4));
  EXPECT_EQ(at(kLast), SwitchState::off);
  want(policy::Wake{}, kLast);
  pass(seconds(2));
  EXPECT_EQ(at(kLast), SwitchState::in_use);
  EXPECT_EQ(states(kLast), std::set{LinkState::active});
  EXPECT_EQ(powered, (std::vector{false, true}));
  EXPECT_FALSE(controller->has_drained_by_policy());
}

TEST_F(ASpineOfThePolicy, SaysWhoHasDrainedIt) {
  (void)controller->take_switch_journal();
  want_off(kLast);
  const auto journal = controller->take_switch_journal();
  ASSERT_FALSE(journal.empty());
  EXPECT_EQ(journal.front().why, "the policy wants all its links asleep");
  for (const SwitchEntry& entry : journal) EXPECT_EQ(entry.by, DrainedBy::policy) << entry.why;
}

// Of the first spine no link may sleep by itself: it is of the connected core.
TEST_F(ASpineOfThePolicy, MayBeTheOneThatLinksThatSleepCountOn) {
  want_off(kFirst);
  EXPECT_EQ(at(kFirst), SwitchState::off);
}

TEST_F(ASpineOfThePolicy, StaysWhenTheFileDoesNotSaySo) {
  promised = false;  // a link that sleeps by itself is no way on
  by_policy = false;
  make();
  joined = false;
  pass(seconds(1));
  want_off(kLast);
  pass(seconds(2));
  EXPECT_EQ(at(kLast), SwitchState::in_use);
  EXPECT_TRUE(powered.empty());
  EXPECT_EQ(states(kLast), std::set{LinkState::asleep}) << "its links sleep one by one";
}

// One channel less, and links sleep by themselves as they always did.
TEST_F(ASpineOfThePolicy, StaysWhenOneLinkOfItIsWanted) {
  promised = false;
  want(policy::Sleep{}, kLast);
  policy.next.erase(policy.next.begin());
  pass(seconds(2));
  EXPECT_EQ(at(kLast), SwitchState::in_use);
  EXPECT_EQ(states(kLast), (std::set{LinkState::active, LinkState::asleep}));
}

TEST_F(ASpineOfThePolicy, GoesOneAfterTheOther) {
  want(policy::Sleep{}, kSecond);
  want(policy::Sleep{}, kLast);
  for (int i = 0; i < 100 && at(kSecond) == SwitchState::in_use; ++i) pass(milliseconds(10));
  EXPECT_EQ(at(kSecond), SwitchState::draining);
  EXPECT_EQ(at(kLast), SwitchState::in_use);
  EXPECT_NE(objection(kLast).find("s7 is draining: one switch at a time"), std::string::npos)
      << objection(kLast);
  EXPECT_EQ(states(kLast), std::set{LinkState::active}) << "its links wait for it";
  pass(seconds(2));
  EXPECT_EQ(at(kSecond), SwitchState::off);
  EXPECT_EQ(at(kLast), SwitchState::off);
}

TEST_F(ASpineOfThePolicy, IsKeptByASafetyRuleThatSaysWhy) {
  for (const std::uint32_t spine : {kFirst, kSecond, kLast}) want(policy::Sleep{}, spine);
  pass(seconds(4));
  EXPECT_EQ(off, (std::set{kFirst, kSecond}));
  EXPECT_NE(objection(kLast).find("would not reach"), std::string::npos) << objection(kLast);
  EXPECT_TRUE(controller->wants_off(kLast));
  EXPECT_GT(controller->decision_counts().refused_to_sleep.at("switch"), 0U);
  EXPECT_EQ(states(kLast), std::set{LinkState::active});
}

TEST_F(ASpineOfThePolicy, IsKeptWhileANeighbourWouldBeOverloaded) {
  const LinkId link = links_of(kFirst)[0];
  for (int i = 0; i < 300; ++i) {
    frames[topology::forward(link)] += 10'000;
    if (i == 200) want(policy::Sleep{}, kFirst);
    pass(milliseconds(10));
  }
  EXPECT_EQ(at(kFirst), SwitchState::in_use);
  EXPECT_NE(objection(kFirst).find("might be used"), std::string::npos) << objection(kFirst);
}

TEST_F(ASpineOfThePolicy, StaysOffForALeastTime) {
  want_off(kLast);
  want(policy::Wake{}, kLast);
  pass(seconds(1));
  EXPECT_EQ(at(kLast), SwitchState::off) << "3 s are not over";
  EXPECT_GT(controller->decision_counts().refused_to_wake.at("min_off_time"), 0U);
  EXPECT_TRUE(controller->wants_off(kLast)) << "it asks no more, and so wants it as it is";
  pass(seconds(2));
  want(policy::Wake{}, kLast);
  pass(seconds(2));
  EXPECT_EQ(at(kLast), SwitchState::in_use);
}

TEST_F(ASpineOfThePolicy, StaysInUseForALeastTime) {
  want_off(kLast);
  pass(seconds(3));
  want(policy::Wake{}, kLast);
  pass(seconds(2));
  ASSERT_EQ(at(kLast), SwitchState::in_use);
  want_off(kLast);
  EXPECT_EQ(at(kLast), SwitchState::in_use) << "4 s are not over";
  EXPECT_NE(objection(kLast).find("in use for less than 4 s"), std::string::npos);
  pass(seconds(4));
  EXPECT_EQ(at(kLast), SwitchState::off) << "its wish is remembered";
}

// One that could not be drained is not tried at every decision.
TEST_F(ASpineOfThePolicy, ThatIsNotQuietIsTriedAgainLater) {
  busy.insert(topology::forward(links_of(kLast)[1]));
  want_off(kLast);
  pass(seconds(3));
  EXPECT_EQ(at(kLast), SwitchState::in_use);
  EXPECT_NE(objection(kLast).find("in use for less than"), std::string::npos) << objection(kLast);
}

// A failure near it, within its least time off.
TEST_F(ASpineOfThePolicy, ComesBackWhenALinkOfANeighbourFails) {
  promised = false;
  want_off(kLast);
  const LinkId failed = links_of(kFirst)[2];
  for (const ChannelId one :
       {topology::forward(failed), topology::reverse(topology::forward(failed))})
    controller->port(now, one, false);
  lossy.insert(failed);
  pass(seconds(2));
  EXPECT_EQ(state(failed), LinkState::failed);
  EXPECT_EQ(at(kLast), SwitchState::in_use);
  want(policy::Sleep{}, kLast);
  pass(seconds(6));
  EXPECT_EQ(at(kLast), SwitchState::in_use);
  EXPECT_NE(objection(kLast).find("has failed"), std::string::npos) << objection(kLast);
}

TEST_F(ASpineOfThePolicy, ComesBackWhenAnotherSwitchGoes) {
  promised = false;
  want_off(kLast);
  die(kFirst);
  pass(seconds(2));
  EXPECT_EQ(at(kLast), SwitchState::in_use);
}

// As full as wake_detour_utilisation says: within its least time off.
TEST_F(ASpineOfThePolicy, ComesBackWhenALinkOfANeighbourIsTooFull) {
  want_off(kLast);
  const LinkId full = links_of(kFirst)[2];
  for (int i = 0; i < 100; ++i) {
    frames[topology::forward(full)] += 1100;  // of 100 bytes in 10 ms: 88 %
    pass(milliseconds(10));
  }
  pass(seconds(2));
  EXPECT_EQ(at(kLast), SwitchState::in_use);
  EXPECT_EQ(controller->decision_counts().woken_by_full_detours, 1U);
}

TEST_F(ASpineOfThePolicy, ComesBackWhenThePolicyHasFailed) {
  want_off(kLast);
  policy.failed = "it is broken";
  pass(seconds(2));
  EXPECT_EQ(at(kLast), SwitchState::in_use);
}

TEST_F(ASpineOfThePolicy, ComesBackBeforeTheControllerEnds) {
  want_off(kLast);
  controller->shut_down(now);
  pass(seconds(2));
  EXPECT_EQ(at(kLast), SwitchState::in_use);
  EXPECT_FALSE(controller->has_drained_by_policy());
}

// ---- beside operators

TEST_F(ASpineOfThePolicy, ThatAnOperatorDrainsStaysTheOperators) {
  ASSERT_EQ(controller->drain_switches(now, {kLast}), std::nullopt);
  pass(seconds(5));
  want(policy::Wake{}, kLast);
  pass(seconds(2));
  EXPECT_EQ(at(kLast), SwitchState::off);
  EXPECT_GT(controller->decision_counts().refused_to_wake.at("drained"), 0U);
  promised = false;
  die(kFirst);
  controller->shut_down(now);
  pass(seconds(3));
  EXPECT_EQ(at(kLast), SwitchState::off) << "nothing but an operator brings it back";
}

TEST_F(ASpineOfThePolicy, IsTheOperatorsFromTheirDrainOn) {
  want_off(kLast);
  (void)controller->take_switch_journal();
  ASSERT_EQ(controller->drain_switches(now, {kLast, kSecond}), std::nullopt);
  const auto journal = controller->take_switch_journal();
  ASSERT_FALSE(journal.empty());
  EXPECT_EQ(journal.front().state, SwitchState::off);
  EXPECT_EQ(journal.front().why, "an operator drains it");
  pass(seconds(5));
  want(policy::Wake{}, kLast);
  want(policy::Wake{}, kSecond);
  pass(seconds(2));
  EXPECT_EQ(off, (std::set{kSecond, kLast}));
  ASSERT_EQ(controller->undrain_switches(now, {kSecond, kLast}), std::nullopt);
  pass(seconds(2));
  EXPECT_TRUE(controller->switches_out().empty());
}

TEST_F(ASpineOfThePolicy, IsBroughtBackByAnOperator) {
  want_off(kLast);
  ASSERT_EQ(controller->undrain_switches(now, {kLast}), std::nullopt);
  pass(seconds(2));
  EXPECT_EQ(at(kLast), SwitchState::in_use);
  pass(seconds(1));
  EXPECT_EQ(at(kLast), SwitchState::in_use) << "for its least time";
}

// ---- and other controllers

TEST_F(ASpineOfThePolicyUnderAnotherController, IsStillThePolicys) {
  want_off(kLast);
  change_controller();
  pass(seconds(1));
  EXPECT_EQ(at(kLast), SwitchState::off);
  EXPECT_EQ(controller->switches_out().at(kLast).by, DrainedBy::policy);
  pass(seconds(3));
  want(policy::Wake{}, kLast);
  pass(seconds(2));
  EXPECT_EQ(at(kLast), SwitchState::in_use);
}

TEST_F(ASpineOfThePolicyUnderAnotherController, ThatAnOperatorDrainedIsStillTheirs) {
  ASSERT_EQ(controller->drain_switches(now, {kLast}), std::nullopt);
  pass(seconds(1));
  change_controller();
  pass(seconds(4));
  want(policy::Wake{}, kLast);
  pass(seconds(2));
  EXPECT_EQ(at(kLast), SwitchState::off);
}

TEST_F(ASpineOfThePolicyUnderAnotherController, ComesBackWhenTheFileSaysItNoMore) {
  want_off(kLast);
  by_policy = false;
  change_controller();
  pass(seconds(2));
  EXPECT_EQ(at(kLast), SwitchState::in_use);
}

// At any moment of its way out and back.
TEST_F(ASpineOfThePolicyUnderAnotherController, IsNeverUsedHalf) {
  for (int moment = 0; moment < 40; moment += 3) {
    want(policy::Sleep{}, kLast);
    pass(milliseconds(10 * moment));
    change_controller();
    check();
    pass(seconds(4));
    const SwitchState found = at(kLast);
    EXPECT_TRUE(found == SwitchState::in_use || found == SwitchState::off) << moment;
    want(policy::Wake{}, kLast);
    pass(milliseconds(10 * moment));
    change_controller();
    pass(seconds(4));
    want(policy::Wake{}, kLast);
    pass(seconds(4));
    EXPECT_EQ(states(kLast), std::set{LinkState::active}) << moment;
    EXPECT_TRUE(diverted.empty()) << moment;
  }
}

// ---- what the policy knows of the tables

TEST_F(ASpine, AllUplinksOfALeafAreNextHops) {
  const auto rows = next_hops_of(walker);
  EXPECT_TRUE(policy::check(rows).empty());
  std::size_t of_leaf = 0;
  for (const policy::NextHopSet& row : rows) {
    if (row.device != 0) continue;
    ++of_leaf;
    EXPECT_EQ(row.channels.size(), 3U) << row.destination;
  }
  EXPECT_GE(of_leaf, 5U) << "each other leaf is a destination";
}

}  // namespace
}  // namespace ebb::controller
