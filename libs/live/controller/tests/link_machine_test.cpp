// SPDX-License-Identifier: Apache-2.0
#include "a_link.hpp"

namespace ebb::controller {
namespace {

TEST_F(ALink, IsDivertedAtBothEndsBeforeItsPortsGoDown) {
  link.sleep(now, "test");
  EXPECT_EQ(link.state(), LinkState::draining);
  const std::vector<Order> first = link.take_orders();
  EXPECT_EQ(first, (std::vector<Order>{SetFailoverPreference{kA, true, 1},
                                       SetFailoverPreference{kB, true, 1}}));
  // One end has not answered: whatever the counters say, ports stay up.
  link.answered(now, first[0], true);
  count(10, 20);
  pass(milliseconds(200));
  count(10, 20);
  EXPECT_TRUE(link.take_orders().empty());
  link.answered(now, first[1], true);
  count(10, 20);
  pass(milliseconds(50));
  count(10, 20);
  EXPECT_EQ(link.take_orders(), (std::vector<Order>{SetPort{kA, false, 1}, SetPort{kB, false, 1}}));
}

TEST_F(ALink, SleepsOnlyWhenBothPortsAreSeenDown) {
  link.sleep(now, "test");
  carry_out_orders();
  count(10, 20);
  pass(milliseconds(60));
  count(10, 20);
  for (const Order& order : link.take_orders()) link.answered(now, order, true);
  EXPECT_EQ(link.state(), LinkState::draining);
  link.port(now, kA, false);
  EXPECT_EQ(link.state(), LinkState::draining);
  link.port(now, kB, false);
  EXPECT_EQ(link.state(), LinkState::asleep);
}

TEST_F(ALink, IsNotTakenForQuietWhileAnEndSends) {
  link.sleep(now, "test");
  carry_out_orders();
  for (std::uint64_t sent = 0; sent < 30; ++sent) {
    count(10, 20 + sent);
    pass(milliseconds(40));
  }
  EXPECT_TRUE(link.take_orders().empty());
  EXPECT_EQ(link.state(), LinkState::draining);
}

TEST_F(ALink, IsNotTakenForQuietWhileNobodyLooks) {
  link.sleep(now, "test");
  carry_out_orders();
  count(10, 20);
  pass(milliseconds(500));
  link.tick(now);
  EXPECT_TRUE(link.take_orders().empty());
  count(10, 900);  // it was not
  EXPECT_TRUE(link.take_orders().empty());
}

TEST_F(ALink, ThatDoesNotDrainIsRolledBack) {
  link.sleep(now, "test");
  carry_out_orders();
  for (std::uint64_t sent = 0; sent < 60; ++sent) {
    count(10, 20 + sent);
    pass(milliseconds(40));
  }
  EXPECT_EQ(link.state(), LinkState::active);
  EXPECT_EQ(carry_out_orders(), (std::vector<Order>{SetFailoverPreference{kA, false, 2},
                                                    SetFailoverPreference{kB, false, 2}}));
  EXPECT_FALSE(link.detours());
}

TEST_F(ALink, ThatIsNotDivertedIsRolledBack) {
  link.sleep(now, "test");
  const std::vector<Order> orders = link.take_orders();
  link.answered(now, orders[0], true);
  link.answered(now, orders[1], false, "no such group");
  EXPECT_EQ(link.state(), LinkState::active);
  EXPECT_EQ(link.take_orders(), (std::vector<Order>{SetFailoverPreference{kA, false, 2},
                                                    SetFailoverPreference{kB, false, 2}}));
  EXPECT_NE(link.why().find("no such group"), std::string::npos);
}

TEST_F(ALink, CarriesFramesAgainOnlyAfterBothEndsHaveBeenLiveForAWhile) {
  fall_asleep();
  ASSERT_EQ(link.state(), LinkState::asleep);
  link.wake(now, "test");
  const std::vector<Order> up = link.take_orders();
  EXPECT_EQ(up, (std::vector<Order>{SetPort{kA, true, 2}, SetPort{kB, true, 2}}));
  for (const Order& order : up) link.answered(now, order, true);
  link.port(now, kA, true);
  pass(milliseconds(500));
  link.tick(now);
  EXPECT_TRUE(link.take_orders().empty());  // one end is not enough
  link.port(now, kB, true);
  pass(milliseconds(99));
  hear();
  EXPECT_TRUE(link.take_orders().empty());
  pass(milliseconds(1));
  link.tick(now);
  EXPECT_EQ(carry_out_orders(), (std::vector<Order>{SetFailoverPreference{kA, false, 2},
                                                    SetFailoverPreference{kB, false, 2}}));
  EXPECT_EQ(link.state(), LinkState::active);
}

TEST_F(ALink, ThatDoesNotWakeHasFailedAndStaysDiverted) {
  fall_asleep();
  link.wake(now, "test");
  (void)link.take_orders();
  pass(seconds(10));
  link.tick(now);
  EXPECT_EQ(link.state(), LinkState::failed);
  EXPECT_TRUE(link.detours());
  EXPECT_TRUE(link.take_orders().empty());
}

TEST_F(ALink, ThatWasRefusedToWakeIsToldAgain) {
  fall_asleep();
  link.wake(now, "test");
  for (const Order& order : link.take_orders()) link.answered(now, order, false, "not now");
  ASSERT_EQ(link.state(), LinkState::waking);
  ASSERT_EQ(link.next_tick(), now + seconds(1));
  pass(milliseconds(999));
  link.tick(now);
  EXPECT_TRUE(link.take_orders().empty());
  pass(milliseconds(1));
  link.tick(now);
  EXPECT_EQ(carry_out_orders(), (std::vector<Order>{SetPort{kA, true, 2}, SetPort{kB, true, 2}}));
  pass(milliseconds(100));
  hear();
  carry_out_orders();
  EXPECT_EQ(link.state(), LinkState::active);
}

// It says that it has failed after a while, and goes on asking.
TEST_F(ALink, ThatIsRefusedToWakeForLongHasFailed) {
  fall_asleep();
  link.wake(now, "test");
  for (int second = 0; second < 12; ++second) {
    for (const Order& order : link.take_orders()) link.answered(now, order, false, "not now");
    pass(seconds(1));
    link.tick(now);
  }
  EXPECT_EQ(link.state(), LinkState::failed);
  EXPECT_FALSE(carry_out_orders().empty());
  EXPECT_EQ(link.state(), LinkState::waking);
}

TEST_F(ALink, WhoseSwitchWasAwayIsTriedAgainAlthoughNoPortChanges) {
  fall_asleep();
  link.wake(now, "test");
  carry_out_orders();
  pass(milliseconds(100));
  hear();
  for (const Order& order : link.take_orders()) link.answered(now, order, false, "it is away");
  ASSERT_EQ(link.state(), LinkState::waking);
  ASSERT_EQ(link.next_tick(), now + seconds(1));
  pass(seconds(1));
  link.tick(now);
  carry_out_orders();
  EXPECT_EQ(link.state(), LinkState::active);
}

TEST_F(ALink, ThatSomebodyElseTookDownIsLeftAlone) {
  fall_asleep();
  link.wake(now, "test");
  carry_out_orders();
  pass(milliseconds(100));
  hear();
  carry_out_orders();
  ASSERT_EQ(link.state(), LinkState::active);
  link.port(now, kA, false);
  carry_out_orders();
  pass(seconds(60));
  link.tick(now);
  EXPECT_TRUE(link.take_orders().empty());
  EXPECT_FALSE(link.next_tick().has_value());
}

TEST_F(ALink, WakesWhenItIsWantedWhileItIsDrained) {
  link.sleep(now, "test");
  carry_out_orders();
  link.wake(now, "load");
  EXPECT_EQ(link.state(), LinkState::active);
  EXPECT_EQ(link.take_orders(), (std::vector<Order>{SetFailoverPreference{kA, false, 2},
                                                    SetFailoverPreference{kB, false, 2}}));
  EXPECT_TRUE(link.ports_up());
}

TEST_F(ALink, ThatIsCutIsDivertedUntilBothEndsAreLiveAgain) {
  link.port(now, kA, false);
  EXPECT_EQ(link.state(), LinkState::failed);
  EXPECT_EQ(carry_out_orders(), (std::vector<Order>{SetFailoverPreference{kA, true, 1},
                                                    SetFailoverPreference{kB, true, 1}}));
  link.port(now, kB, false);
  link.port(now, kA, true);
  EXPECT_EQ(link.state(), LinkState::failed);
  link.port(now, kB, true);
  EXPECT_EQ(link.state(), LinkState::waking);
  pass(milliseconds(100));
  hear();
  EXPECT_EQ(carry_out_orders(), (std::vector<Order>{SetFailoverPreference{kA, false, 2},
                                                    SetFailoverPreference{kB, false, 2}}));
  EXPECT_EQ(link.state(), LinkState::active);
}

TEST_F(ALink, ThatFlapsWhileItWakesStartsItsHoldAnew) {
  fall_asleep();
  link.wake(now, "test");
  carry_out_orders();
  pass(milliseconds(90));
  link.port(now, kB, false);
  link.port(now, kB, true);
  pass(milliseconds(90));
  hear();
  EXPECT_TRUE(link.take_orders().empty());
  pass(milliseconds(10));
  link.tick(now);
  EXPECT_FALSE(link.take_orders().empty());
}

TEST_F(ALink, IgnoresAnswersToOrdersThatWereOvertaken) {
  link.sleep(now, "test");
  const std::vector<Order> away = link.take_orders();
  link.wake(now, "load");
  link.sleep(now, "again");
  (void)link.take_orders();
  for (const Order& order : away) link.answered(now, order, true);
  count(1, 1);
  pass(milliseconds(100));
  count(1, 1);
  EXPECT_TRUE(link.take_orders().empty());  // nobody said that it is diverted
}

// A late refusal of the order to go down says nothing about the order to come up after it.
TEST_F(ALink, DoesNotTakeALateRefusalToGoDownForOneToWake) {
  link.sleep(now, "test");
  carry_out_orders();
  count(10, 20);
  pass(milliseconds(60));
  count(10, 20);
  const std::vector<Order> down = link.take_orders();
  ASSERT_EQ(down.size(), 2U);
  link.wake(now, "load");
  const std::vector<Order> up = link.take_orders();
  ASSERT_EQ(up.size(), 2U);
  link.answered(now, down[0], false, "too late");
  EXPECT_EQ(link.state(), LinkState::waking);
  EXPECT_FALSE(link.is_current(down[1]));
  EXPECT_TRUE(link.is_current(up[0]));
}

// One of its switches goes while it is drained: nobody knows whether that end is diverted.
TEST_F(ALink, IsNotTakenDownAfterASwitchOfItWent) {
  link.sleep(now, "test");
  carry_out_orders();
  count(10, 20);
  link.reach(now, kB, false);
  EXPECT_EQ(link.state(), LinkState::active);
  pass(milliseconds(60));
  count(10, 20);
  for (const Order& order : link.take_orders())
    EXPECT_FALSE(std::holds_alternative<SetPort>(order)) << "a port was ordered down";
}

TEST_F(ALink, WhoseSwitchWentWhileItsPortsWentDownComesUp) {
  link.sleep(now, "test");
  carry_out_orders();
  count(10, 20);
  pass(milliseconds(60));
  count(10, 20);
  ASSERT_EQ(link.take_orders().size(), 2U);
  link.reach(now, kB, false);
  EXPECT_EQ(link.state(), LinkState::waking);
  EXPECT_EQ(carry_out_orders(), (std::vector<Order>{SetPort{kA, true, 2}}));
  pass(seconds(3));
  link.reach(now, kB, true);
  EXPECT_EQ(carry_out_orders(), (std::vector<Order>{SetPort{kB, true, 2}}));
}

// What a switch refused after the link was rolled back, it is asked again until it does it.
TEST_F(ALink, IsToldUntilItIsStraightAgain) {
  link.sleep(now, "test");
  carry_out_orders();
  link.wake(now, "load");
  for (int times = 0; times < 5; ++times) {
    const std::vector<Order> orders = link.take_orders();
    ASSERT_EQ(orders.size(), times == 0 ? 2U : 1U) << "after " << times << " refusals";
    link.answered(now, orders[0], false, "busy");
    if (times == 0) link.answered(now, orders[1], true);
    EXPECT_EQ(link.state(), LinkState::active);
    ASSERT_TRUE(link.next_tick());
    now = *link.next_tick();
    link.tick(now);
  }
  carry_out_orders();
  EXPECT_FALSE(link.next_tick());
}

// A controller that goes waits for that: it is active, but not yet used.
TEST_F(ALink, ThatWasRolledBackIsNotConfirmedBeforeItsSwitchesSayIt) {
  EXPECT_TRUE(link.is_confirmed());
  link.sleep(now, "test");
  carry_out_orders();
  link.wake(now, "the controller goes");
  EXPECT_EQ(link.state(), LinkState::active);
  EXPECT_FALSE(link.is_confirmed());
  carry_out_orders();
  EXPECT_TRUE(link.is_confirmed());
}

// Ports are up, nothing comes through: frames would be lost.
TEST_F(ALink, CarriesNothingBeforeAProbeCameThroughBothWays) {
  fall_asleep();
  link.wake(now, "test");
  carry_out_orders();
  for (int tenth = 0; tenth < 50; ++tenth) {
    pass(milliseconds(100));
    link.probe_heard(now, kA);  // one way alone
  }
  EXPECT_TRUE(link.detours());
  EXPECT_TRUE(link.take_orders().empty());
  link.probe_heard(now, kB);
  EXPECT_FALSE(link.detours());
}

TEST_F(ALink, ThatWakesWithoutAProbeHasFailed) {
  fall_asleep();
  link.wake(now, "test");
  carry_out_orders();
  pass(seconds(10));
  link.tick(now);
  EXPECT_EQ(link.state(), LinkState::failed);
  EXPECT_EQ(link.why(), "its ports are up, but probes do not come through both ways");
  pass(seconds(30));
  link.tick(now);
  EXPECT_EQ(link.state(), LinkState::failed) << "it is not tried before probes come through";
}

TEST_F(ALink, ThatLosesThreeProbesOneWayIsDiverted) {
  hear();
  link.probe_missed(now, kB, "lost");
  link.probe_missed(now, kB, "lost");
  EXPECT_EQ(link.state(), LinkState::active);
  link.probe_missed(now, kB, "lost");
  EXPECT_EQ(link.state(), LinkState::failed);
  EXPECT_EQ(link.why(), "lost");
  EXPECT_EQ(carry_out_orders(), (std::vector<Order>{SetFailoverPreference{kA, true, 1},
                                                    SetFailoverPreference{kB, true, 1}}));
}

TEST_F(ALink, ThatLosesEveryThirdFrameIsDiverted) {
  int probes = 0;
  for (; link.state() == LinkState::active && probes < 100; ++probes) {
    if (probes % 3 == 0) {
      link.probe_missed(now, kA, "lost");
    } else {
      link.probe_heard(now, kA);
    }
  }
  EXPECT_EQ(probes, 13);
}

TEST_F(ALink, ThatLosesOneFrameInTenIsNot) {
  for (int probes = 0; probes < 1000; ++probes) {
    if (probes % 10 == 0) {
      link.probe_missed(now, kA, "lost");
    } else {
      link.probe_heard(now, kA);
    }
  }
  EXPECT_EQ(link.state(), LinkState::active);
}

// Twice as many probes each time that it happens again: a cable that comes and goes is left alone.
TEST_F(ALink, NeedsMoreProbesInARowEachTimeThatItLosesThem) {
  for (const int needed : {3, 6, 12, 24, 48, 48}) {
    for (int i = 0; i < 3; ++i) link.probe_missed(now, kA, "lost");
    ASSERT_EQ(link.state(), LinkState::failed);
    carry_out_orders();
    int probes = 0;
    for (; link.state() == LinkState::failed; ++probes) {
      pass(milliseconds(700));
      hear();
    }
    EXPECT_EQ(probes, needed);
    pass(milliseconds(100));
    hear();
    carry_out_orders();
    ASSERT_EQ(link.state(), LinkState::active);
  }
  pass(std::chrono::minutes(11));
  for (int i = 0; i < 3; ++i) link.probe_missed(now, kA, "lost");
  for (int i = 0; i < 3; ++i) hear();
  EXPECT_EQ(link.state(), LinkState::waking) << "it has been good for long";
}

TEST_F(ALink, ThatIsDrainedStaysDownWhoeverTakesItsPortsUp) {
  fall_asleep();
  link.keep_down(now, true);
  pass(seconds(2));
  link.port(now, kA, true);
  link.port(now, kB, true);
  EXPECT_EQ(link.state(), LinkState::asleep);
  EXPECT_EQ(carry_out_orders(), (std::vector<Order>{SetPort{kA, false, 2}, SetPort{kB, false, 2}}));
  link.keep_down(now, false);
  link.port(now, kA, true);
  link.port(now, kB, true);
  EXPECT_EQ(link.state(), LinkState::waking) << "ports that are up are not asleep";
}

TEST_F(ALink, ThatFailsWhileItIsDrainedGoesDownWhenItIsBack) {
  link.keep_down(now, true);
  link.port(now, kA, false);
  carry_out_orders();
  ASSERT_EQ(link.state(), LinkState::failed);
  link.port(now, kA, true);
  EXPECT_EQ(link.state(), LinkState::draining);
}

}  // namespace
}  // namespace ebb::controller
