// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/watts.hpp"

#include <gtest/gtest.h>

namespace ebb::controller {
namespace {

using std::chrono::seconds;

TEST(TheWatts, OfALinkAreThoseOfItsTwoPorts) {
  Watts watts({milliwatts(4600), milliwatts(2800)}, 10);
  EXPECT_EQ(watts.all_awake(), milliwatts(92'000));
  watts.pass(TimePoint{seconds(0)}, 3);
  EXPECT_EQ(watts.saved(), milliwatts(10'800));
  EXPECT_EQ(watts.present(), milliwatts(81'200));
  EXPECT_EQ(watts.ports_down(), 6U);
}

TEST(TheWatts, OfBoxesAreSavedWhileTheyHaveNoPower) {
  Watts watts({milliwatts(4600), milliwatts(2800)}, 10, milliwatts(400'000));
  EXPECT_EQ(watts.all_awake(), milliwatts(492'000));
  watts.pass(TimePoint{seconds(0)}, 3, {}, milliwatts(208'400));
  EXPECT_EQ(watts.present(), milliwatts(492'000 - 10'800 - 208'400));
  watts.pass(TimePoint{seconds(10)}, 0);
  EXPECT_EQ(watts.saved_energy(), milliwatts(219'200) * Duration(seconds(10)));
  EXPECT_EQ(watts.present(), watts.all_awake());
}

TEST(TheWatts, ThatWereSavedCountFromWhenLinksSlept) {
  Watts watts({milliwatts(4600), milliwatts(2800)}, 10);
  watts.pass(TimePoint{seconds(10)}, 5);
  EXPECT_EQ(watts.saved_energy(), Energy{});
  watts.pass(TimePoint{seconds(20)}, 0);
  watts.pass(TimePoint{seconds(40)}, 0);
  EXPECT_EQ(watts.saved_energy(), milliwatts(18'000) * Duration(seconds(10)));
  EXPECT_DOUBLE_EQ(watts.asleep_share(), 0.125);  // half of the links for a quarter of the time
}

}  // namespace
}  // namespace ebb::controller
