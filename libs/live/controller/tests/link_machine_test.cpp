// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/link_machine.hpp"

#include <gtest/gtest.h>

namespace ebb::controller {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr End kA{6};
constexpr End kB{7};

class ALink : public testing::Test {
 protected:
  TimePoint now{seconds(100)};
  LinkMachine link{kA, kB, LinkTimes{}};

  void pass(Duration time) { now += time; }
  // Answers all orders as a switch would, ports following what they are told.
  std::vector<Order> carry_out_orders() {
    std::vector<Order> given;
    for (std::vector<Order> orders = link.take_orders(); !orders.empty();
         orders = link.take_orders()) {
      for (const Order& order : orders) {
        given.push_back(order);
        link.answered(now, order, true);
        if (const auto* port = std::get_if<SetPort>(&order)) link.port(now, port->end, port->up);
      }
    }
    return given;
  }
  void count(std::uint64_t a, std::uint64_t b) {
    link.sent(now, kA, a);
    link.sent(now, kB, b);
  }
  void fall_asleep() {
    link.sleep(now, "test");
    carry_out_orders();
    count(10, 20);
    pass(milliseconds(60));
    count(10, 20);
    carry_out_orders();
  }
};

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
  EXPECT_EQ(link.take_orders(), (std::vector<Order>{SetPort{kA, false}, SetPort{kB, false}}));
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
  EXPECT_EQ(up, (std::vector<Order>{SetPort{kA, true}, SetPort{kB, true}}));
  link.port(now, kA, true);
  pass(milliseconds(500));
  link.tick(now);
  EXPECT_TRUE(link.take_orders().empty());  // one end is not enough
  link.port(now, kB, true);
  pass(milliseconds(99));
  link.tick(now);
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
  ASSERT_EQ(link.state(), LinkState::failed);
  pass(seconds(9));
  link.tick(now);
  EXPECT_TRUE(link.take_orders().empty());
  ASSERT_EQ(link.next_tick(), now + seconds(1));
  pass(seconds(1));
  link.tick(now);
  EXPECT_EQ(carry_out_orders(), (std::vector<Order>{SetPort{kA, true}, SetPort{kB, true}}));
  EXPECT_EQ(link.state(), LinkState::waking);
  pass(milliseconds(100));
  link.tick(now);
  carry_out_orders();
  EXPECT_EQ(link.state(), LinkState::active);
}

TEST_F(ALink, WhoseSwitchWasAwayIsTriedAgainAlthoughNoPortChanges) {
  fall_asleep();
  link.wake(now, "test");
  carry_out_orders();
  pass(milliseconds(100));
  link.tick(now);
  for (const Order& order : link.take_orders()) link.answered(now, order, false, "it is away");
  ASSERT_EQ(link.state(), LinkState::failed);
  carry_out_orders();
  ASSERT_EQ(link.next_tick(), now + seconds(10));
  pass(seconds(10));
  link.tick(now);
  EXPECT_EQ(link.state(), LinkState::waking);
  pass(milliseconds(100));
  link.tick(now);
  carry_out_orders();
  EXPECT_EQ(link.state(), LinkState::active);
}

TEST_F(ALink, ThatSomebodyElseTookDownIsLeftAlone) {
  fall_asleep();
  link.wake(now, "test");
  carry_out_orders();
  pass(milliseconds(100));
  link.tick(now);
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
  link.tick(now);
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
  link.tick(now);
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

}  // namespace
}  // namespace ebb::controller
