// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/link_rate.hpp"

#include <gtest/gtest.h>

namespace ebb::controller {
namespace {

using policy::RateLevel;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr End kA{4};
constexpr End kB{5};
constexpr RateLevel kSlow{0};
constexpr RateLevel kMiddle{1};
constexpr RateLevel kFull{2};

class ALinkRate : public testing::Test {
 protected:
  std::vector<Order> orders() { return rate.take_orders(); }
  void answer(const Order& order, bool ok = true) {
    rate.answered(now, std::get<SetRate>(order), ok, ok ? "" : "no");
  }

  LinkRate rate{kA, kB, kFull};
  TimePoint now{seconds(10)};
};

TEST_F(ALinkRate, ChangesWhenBothEndsHaveAnswered) {
  rate.set(now, kSlow, "asked");
  const auto given = orders();
  ASSERT_EQ(given, (std::vector<Order>{SetRate{kA, kSlow, 1}, SetRate{kB, kSlow, 1}}));
  EXPECT_EQ(rate.step(), kFull);
  EXPECT_EQ(rate.least(), kSlow);
  answer(given[0]);
  EXPECT_FALSE(rate.take_change());
  answer(given[1]);
  EXPECT_EQ(rate.step(), kSlow);
  EXPECT_EQ(rate.take_change(), "asked");
  EXPECT_FALSE(rate.take_change());
  EXPECT_FALSE(rate.is_full());
}

TEST_F(ALinkRate, IsAskedOnceForWhatItHasOrWillHave) {
  rate.set(now, kFull, "asked");
  EXPECT_TRUE(orders().empty());
  rate.set(now, kSlow, "asked");
  EXPECT_EQ(orders().size(), 2U);
  rate.set(now, kSlow, "asked again");
  EXPECT_TRUE(orders().empty());
}

TEST_F(ALinkRate, FollowsTheLastOfTwoWishes) {
  rate.set(now, kSlow, "asked");
  const auto slow = orders();
  rate.set(now, kFull, "needed");
  const auto full = orders();
  answer(slow[0]);
  answer(slow[1]);
  EXPECT_FALSE(rate.is_full());  // the ends are about to have it, and are slow until then
  answer(full[0]);
  answer(full[1]);
  EXPECT_TRUE(rate.is_full());
  EXPECT_EQ(rate.take_change(), "needed");
}

TEST_F(ALinkRate, GoesBackToFullWhenAnEndRefuses) {
  rate.set(now, kMiddle, "asked");
  const auto given = orders();
  answer(given[0]);
  answer(given[1], false);
  EXPECT_EQ(rate.take_change(), "did not change its rate: no");
  const auto back = orders();
  ASSERT_EQ(back.size(), 2U);
  EXPECT_EQ(std::get<SetRate>(back[0]).rate_level, kFull);
  answer(back[0]);
  answer(back[1]);
  EXPECT_TRUE(rate.is_full());
}

TEST_F(ALinkRate, AsksForTheFullRateUntilItHasIt) {
  rate.found(now, kSlow, kSlow);
  EXPECT_EQ(rate.take_change(), "was found so");
  rate.set(now, kFull, "needed");
  auto given = orders();
  answer(given[0], false);
  answer(given[1], false);
  EXPECT_TRUE(rate.take_change());
  rate.tick(now + milliseconds(900));
  EXPECT_TRUE(orders().empty());
  now += seconds(1);
  rate.tick(now);
  given = orders();
  ASSERT_EQ(given.size(), 2U);
  answer(given[0], false);
  EXPECT_FALSE(rate.take_change());  // said already
  now += seconds(1);
  rate.tick(now);
  for (const Order& order : orders()) answer(order);
  EXPECT_TRUE(rate.is_full());
}

TEST_F(ALinkRate, WhoseEndsDifferGetsTheFullRate) {
  rate.found(now, kSlow, kFull);
  EXPECT_EQ(rate.least(), kSlow);
  for (const Order& order : orders()) answer(order);
  EXPECT_TRUE(rate.is_full());
}

}  // namespace
}  // namespace ebb::controller
