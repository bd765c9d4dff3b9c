// SPDX-License-Identifier: Apache-2.0
#include "ebb/agent/diverter.hpp"

#include <gtest/gtest.h>

namespace ebb::agent {
namespace {

using std::chrono::milliseconds;

constexpr DataRate kRate = megabits_per_second(100);
constexpr DataSize kLong = bytes(70'000);  // 5.6 ms
constexpr DataSize kMiddle = bytes(30'000);
constexpr DataSize kShort = bytes(5'000);

// Two pairs of ports, each the other's detour, as a switch of a 3x3 flattened butterfly has them.
class ASwitch : public testing::Test {
 protected:
  ASwitch() { set_groups(false, false); }

  void set_groups(bool three_detoured, bool four_detoured) {
    diverter.set_groups(
        now, {{3, 4, three_detoured}, {4, 3, four_detoured}, {5, 6, false}, {6, 5, false}});
  }
  void read(std::map<PortNumber, DataSize> queues) {
    std::vector<Reading> readings;
    for (PortNumber port = 3; port <= 6; ++port)
      readings.push_back({port, queues.contains(port) ? queues[port] : DataSize{}, kRate});
    diverter.read(now, readings);
    now += milliseconds(1);
  }
  void read_for(milliseconds time, const std::map<PortNumber, DataSize>& queues) {
    for (const TimePoint end = now + time; now < end;) read(queues);
  }
  void suppress_four() {
    read_for(milliseconds(2), {{4, kLong}});
    ASSERT_EQ(diverter.suppressed(), Ports{4});
    static_cast<void>(diverter.take_changes());
  }

  TimePoint now{std::chrono::seconds(100)};
  Limits limits{.high = milliseconds(5),
                .low = milliseconds(1),
                .polls = 2,
                .hold = milliseconds(20),
                .least = milliseconds(100),
                .share = 0.5};
  Diverter diverter{limits};
};

TEST_F(ASwitch, UsesAPortAgainAtOnceWhoseDetourIsTakenAway) {
  suppress_four();
  diverter.set_groups(now, {{3, 4, false}, {5, 6, false}, {6, 5, false}});
  EXPECT_TRUE(diverter.suppressed().empty());
  read_for(milliseconds(300), {{4, kLong}});
  EXPECT_TRUE(diverter.suppressed().empty());
}

TEST_F(ASwitch, SuppressesAfterTheSecondReadingAboveTheHighMark) {
  read({{4, kLong}});
  EXPECT_TRUE(diverter.take_changes().empty());
  const TimePoint second = now;
  read({{4, kLong}});
  const auto changes = diverter.take_changes();
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].port, 4U);
  EXPECT_TRUE(changes[0].suppress);
  EXPECT_EQ(changes[0].waiting, kLong);
  EXPECT_EQ(changes[0].seen, second - milliseconds(1));
  read({{4, kLong}});
  EXPECT_TRUE(diverter.take_changes().empty());
}

TEST_F(ASwitch, ForgetsAReadingThatWasFollowedByAShorterOne) {
  for (int i = 0; i < 10; ++i) {
    read({{4, kLong}});
    read({{4, kMiddle}});
  }
  EXPECT_TRUE(diverter.take_changes().empty());
}

TEST_F(ASwitch, UsesAPortAgainWhenItsQueueHasBeenShortForTheHoldTime) {
  suppress_four();
  read_for(milliseconds(200), {{4, kMiddle}});
  EXPECT_TRUE(diverter.take_changes().empty());
  read_for(milliseconds(20), {{4, kShort}});
  EXPECT_TRUE(diverter.take_changes().empty());
  read({{4, kShort}});
  const auto changes = diverter.take_changes();
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_FALSE(changes[0].suppress);
  EXPECT_EQ(changes[0].why, Why::queue_short);
}

TEST_F(ASwitch, BeginsToHoldAnewWhenTheQueueGrewInBetween) {
  suppress_four();
  read_for(milliseconds(200), {{4, kMiddle}});
  read_for(milliseconds(15), {{4, kShort}});
  read({{4, kMiddle}});
  read_for(milliseconds(15), {{4, kShort}});
  EXPECT_TRUE(diverter.take_changes().empty());
}

TEST_F(ASwitch, ChangesAPortAtMostOnceInTheLeastTime) {
  const TimePoint begin = now;
  suppress_four();
  while (!diverter.suppressed().empty()) read({});
  EXPECT_GE(now - begin, milliseconds(100));
  EXPECT_LE(now - begin, milliseconds(105));
  static_cast<void>(diverter.take_changes());
  const TimePoint back = now - milliseconds(1);
  while (diverter.suppressed().empty()) read({{4, kLong}});
  EXPECT_GE(now - back, milliseconds(100));
  EXPECT_LE(now - back, milliseconds(105));
  EXPECT_EQ(diverter.take_changes().at(0).seen, back + milliseconds(100)) << "not before";
}

// What waits at the detour was diverted to it: to suppress that one would help nobody.
TEST_F(ASwitch, LetsTheDetourSettleAfterAReturn) {
  suppress_four();
  while (!diverter.suppressed().empty()) read({{3, kMiddle}});
  const TimePoint back = now;
  while (diverter.suppressed().empty()) read({{3, kLong}});
  EXPECT_EQ(diverter.suppressed(), Ports{3});
  EXPECT_GE(now - back, milliseconds(100));
  EXPECT_LE(now - back, milliseconds(105));
}

TEST_F(ASwitch, DoesNotWaitForTheHoldTimeWhenTheDetourIsCrowded) {
  suppress_four();
  read_for(milliseconds(150), {{4, kMiddle}});
  read({{3, kLong}});
  const auto changes = diverter.take_changes();
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].why, Why::detour_long);
}

TEST_F(ASwitch, DoesNotDivertToALongQueue) {
  read_for(milliseconds(500), {{3, kLong}, {4, kLong}});
  EXPECT_TRUE(diverter.take_changes().empty());
}

TEST_F(ASwitch, NeverSuppressesAPortAndItsDetour) {
  suppress_four();
  read_for(milliseconds(500), {{3, kLong}, {4, kMiddle}});
  EXPECT_EQ(diverter.suppressed(), Ports{4});
}

TEST_F(ASwitch, DoesNotSuppressionWhatItsDetourCannotReplace) {
  diverter.set_link(now, 3, false);
  read_for(milliseconds(500), {{4, kLong}});
  EXPECT_TRUE(diverter.suppressed().empty());
  diverter.set_link(now, 3, true);
  read_for(milliseconds(5), {{4, kLong}});
  EXPECT_EQ(diverter.suppressed(), Ports{4});
}

TEST_F(ASwitch, EndsASuppressionAtOnceWhenTheDetourGoesDown) {
  suppress_four();
  diverter.set_link(now, 3, false);
  const auto changes = diverter.take_changes();
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_FALSE(changes[0].suppress);
  EXPECT_EQ(changes[0].why, Why::detour_needed);
}

// A link is on its way to sleep, or asleep: its detour carries everything.
TEST_F(ASwitch, NeverSuppressesTheDetourOfALinkThatIsDrained) {
  set_groups(true, false);
  read_for(milliseconds(500), {{4, kLong}});
  EXPECT_TRUE(diverter.suppressed().empty());
}

TEST_F(ASwitch, EndsASuppressionAtOnceWhenALinkIsDrainedToThePort) {
  suppress_four();
  set_groups(true, false);
  EXPECT_TRUE(diverter.suppressed().empty());
  EXPECT_EQ(diverter.take_changes().size(), 1U);
}

TEST_F(ASwitch, LeavesAPortAloneThatTheControllerHasDrained) {
  set_groups(false, true);
  read_for(milliseconds(500), {{4, kLong}});
  EXPECT_TRUE(diverter.suppressed().empty());
}

TEST_F(ASwitch, LeavesPortsAloneThatHaveNoDetour) {
  diverter.set_groups(now, {});
  read_for(milliseconds(500), {{4, kLong}});
  EXPECT_TRUE(diverter.suppressed().empty());
}

// As in a row of four switches: who stands in for a port has another stand-in itself.
TEST_F(ASwitch, NeverSuppressesBothPortsOfAGroup) {
  limits.share = 1;
  diverter = Diverter(limits);
  diverter.set_groups(now, {{3, 4, false}, {4, 5, false}, {5, 3, false}});
  read_for(milliseconds(2), {{3, kLong}});
  EXPECT_EQ(diverter.suppressed(), Ports{3});
  read_for(milliseconds(500), {{3, kMiddle}, {4, kLong}, {5, kLong}});
  EXPECT_EQ(diverter.suppressed(), Ports{3}) << "4 stands in for 3, and 3 for 5";
}

TEST_F(ASwitch, SuppressesAtMostItsShare) {
  limits.share = 0.25;
  diverter = Diverter(limits);
  set_groups(false, false);
  read_for(milliseconds(10), {{4, kLong}, {6, kLong}});
  EXPECT_EQ(diverter.suppressed(), Ports{4});
  limits.share = 0.5;
  diverter = Diverter(limits);
  set_groups(false, false);
  read_for(milliseconds(10), {{4, kLong}, {6, kLong}});
  EXPECT_EQ(diverter.suppressed(), (Ports{4, 6}));
  limits.share = 0;
  diverter = Diverter(limits);
  set_groups(false, false);
  read_for(milliseconds(10), {{4, kLong}, {6, kLong}});
  EXPECT_EQ(diverter.suppressed(), Ports{4}) << "one may always";
}

TEST_F(ASwitch, TriesAgainLaterWhatTheSwitchRefused) {
  read_for(milliseconds(2), {{4, kLong}});
  diverter.refused(now, 4);
  static_cast<void>(diverter.take_changes());
  read_for(milliseconds(90), {{4, kLong}});
  EXPECT_TRUE(diverter.take_changes().empty());
  read_for(milliseconds(20), {{4, kLong}});
  EXPECT_EQ(diverter.take_changes().size(), 1U);
}

TEST_F(ASwitch, ForgetsSuppressesWithTheSwitch) {
  suppress_four();
  diverter.forget_suppressions(now);
  EXPECT_TRUE(diverter.suppressed().empty());
  EXPECT_TRUE(diverter.take_changes().empty());
}

TEST(Limits, AreTimesButNotLessThanFrames) {
  EXPECT_EQ(high_mark({}, megabits_per_second(100)), bytes(37'500));
  EXPECT_EQ(low_mark({}, megabits_per_second(100)), bytes(12'500));
  EXPECT_EQ(high_mark({}, megabits_per_second(1)), bytes(6'056));
  EXPECT_EQ(low_mark({}, megabits_per_second(1)), bytes(1'514));
}

}  // namespace
}  // namespace ebb::agent
