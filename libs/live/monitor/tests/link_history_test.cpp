// SPDX-License-Identifier: Apache-2.0
#include "ebb/monitor/link_history.hpp"

#include <gtest/gtest.h>

namespace ebb::monitor {
namespace {

using controller::LinkState;

TimePoint at(int seconds) { return TimePoint{std::chrono::seconds(seconds)}; }

TEST(LinkHistory, CountsTimeAsleepAlsoOfASleepThatGoesOn) {
  LinkHistory history;
  EXPECT_EQ(history.asleep(at(9)), Duration{});
  history.add({at(10), {}, LinkState::asleep, "the policy asked"});
  history.add({at(13), {}, LinkState::waking, "the policy asked"});
  history.add({at(14), {}, LinkState::active, "the policy asked"});
  history.add({at(20), {}, LinkState::asleep, "again"});
  EXPECT_EQ(history.asleep(at(25)), std::chrono::seconds(3 + 5));
  EXPECT_EQ(history.entered(LinkState::asleep), 2U);
  EXPECT_EQ(history.entered(LinkState::failed), 0U);
  EXPECT_EQ(history.last().front().why, "again");
}

TEST(LinkHistory, DoesNotCountWhatADryRunOnlySaid) {
  LinkHistory history;
  history.add({at(10), {}, LinkState::asleep, "would sleep", true});
  EXPECT_EQ(history.entered(LinkState::asleep), 0U);
  EXPECT_EQ(history.asleep(at(25)), Duration{});
  EXPECT_EQ(history.last().size(), 1U);
}

TEST(LinkHistory, KeepsTheLatestTen) {
  LinkHistory history;
  for (int i = 0; i < 12; ++i) history.add({at(i), {}, LinkState::active, std::to_string(i)});
  EXPECT_EQ(history.last().size(), 10U);
  EXPECT_EQ(history.last().front().why, "11");
  EXPECT_EQ(history.last().back().why, "2");
}

}  // namespace
}  // namespace ebb::monitor
