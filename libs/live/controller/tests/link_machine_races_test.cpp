// SPDX-License-Identifier: Apache-2.0
// What the search through all that can happen to a link has found (link_search_test.cpp), each as
// short as it can be.
#include "a_link.hpp"

namespace ebb::controller {
namespace {

TEST_F(ALink, ThatLostItsProbesWhileItWasDrainedIsNotRolledBackTo) {
  link.sleep(now, "test");
  const std::vector<Order> orders = link.take_orders();
  for (int probe = 0; probe < 3; ++probe) link.probe_missed(now, kA, "lost");
  link.answered(now, orders[0], false, "no");
  EXPECT_EQ(link.state(), LinkState::failed) << link.why();
  EXPECT_TRUE(link.detours());
}

TEST_F(ALink, ThatDiesAfterItWasGivenBackIsDivertedAgain) {
  fall_asleep();
  link.wake(now, "test");
  carry_out_orders();
  pass(milliseconds(200));
  hear();
  link.tick(now);
  const std::vector<Order> back = link.take_orders();
  ASSERT_EQ(back.size(), 2U);
  link.port(now, kA, false);
  EXPECT_EQ(link.state(), LinkState::failed);
  for (const Order& order : back) link.answered(now, order, true);
  EXPECT_EQ(link.state(), LinkState::failed) << "the answers are too late";
  EXPECT_TRUE(link.detours());
}

// By SNMP and gNMI, ports are told by another connection than probes.
TEST_F(ALink, IsNotGivenBackWhileAnOrderToGoDownMayBeOnItsWay) {
  link.sleep(now, "test");
  carry_out_orders();
  count(10, 20);
  pass(milliseconds(60));
  count(10, 20);
  EXPECT_EQ(link.take_orders().size(), 2U) << "to go down; they wait at the switches";
  link.wake(now, "test");
  const std::vector<Order> up = link.take_orders();
  pass(milliseconds(200));
  hear();
  link.tick(now);
  EXPECT_TRUE(link.take_orders().empty());
  for (const Order& order : up) link.answered(now, order, true);
  EXPECT_EQ(link.take_orders(), (std::vector<Order>{SetFailoverPreference{kA, false, 2},
                                                    SetFailoverPreference{kB, false, 2}}));
}

TEST_F(ALink, ThatIsFoundAsleepWhileItWakesGoesOnToWake) {
  fall_asleep();
  link.wake(now, "test");
  EXPECT_EQ(link.take_orders().size(), 2U) << "under way";
  link.found_asleep(now);
  EXPECT_EQ(link.state(), LinkState::waking);
  EXPECT_TRUE(link.ports_up());
}

TEST_F(ALink, ThatFailedAndIsDrainedIsNotToldToComeUp) {
  fall_asleep();
  link.wake(now, "test");
  for (const Order& order : link.take_orders()) link.answered(now, order, false, "no");
  pass(seconds(11));
  link.tick(now);
  EXPECT_EQ(link.state(), LinkState::failed);
  for (const Order& order : link.take_orders()) link.answered(now, order, false, "no");
  link.keep_down(now, true);
  for (int reading = 0; reading < 240; ++reading) {
    pass(milliseconds(250));
    count(10, 20);
    for (const Order& order : carry_out_orders()) {
      const auto* port = std::get_if<SetPort>(&order);
      EXPECT_TRUE(port == nullptr || !port->up) << reading;
    }
  }
  EXPECT_EQ(link.state(), LinkState::asleep) << "as soon as it can";
}

TEST_F(ALink, ThatIsDrainedAndFoundHalfUpIsDivertedBeforeItGoesDown) {
  link.keep_down(now, true);
  link.found_asleep(now);
  link.stay_down(now);
  const std::vector<Order> diverted = link.take_orders();
  EXPECT_EQ(diverted, (std::vector<Order>{SetFailoverPreference{kA, true, 1},
                                          SetFailoverPreference{kB, true, 1}}));
  for (const Order& order : diverted) link.answered(now, order, true);
  count(10, 20);
  EXPECT_TRUE(link.take_orders().empty());
  pass(milliseconds(60));
  count(10, 20);
  EXPECT_EQ(link.take_orders().size(), 2U) << "ports, at both ends";
}

}  // namespace
}  // namespace ebb::controller
