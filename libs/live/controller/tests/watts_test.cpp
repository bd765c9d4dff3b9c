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

TEST(TheWatts, ThatWereSavedCountFromWhenLinksSlept) {
  Watts watts({milliwatts(4600), milliwatts(2800)}, 10);
  watts.pass(TimePoint{seconds(10)}, 5);
  EXPECT_EQ(watts.saved_energy(), Energy{});
  watts.pass(TimePoint{seconds(20)}, 0);
  watts.pass(TimePoint{seconds(40)}, 0);
  EXPECT_EQ(watts.saved_energy(), milliwatts(18'000) * Duration(seconds(10)));
  EXPECT_DOUBLE_EQ(watts.asleep_share(), 0.125);  // half of the links for a quarter of the time
}

power::PortSetup setup(const std::string& medium, DataRate rate, Power up) {
  power::PortSetup made;
  made.medium = medium;
  made.rate = rate;
  made.port.value = milliwatts(100);
  made.plugged.value = milliwatts(10);
  made.up.value = up;
  return made;
}

TEST(TheWattsOfSteps, AreThoseOfTheSetupOfTheSameShare) {
  power::Box box;
  box.setups = {setup("electrical", gigabits_per_second(10), milliwatts(1000)),
                setup("optical", gigabits_per_second(1), milliwatts(700)),
                setup("electrical", gigabits_per_second(1), milliwatts(400))};
  const std::vector<DataRate> rate_table = {megabits_per_second(1), megabits_per_second(10),
                                            megabits_per_second(100)};
  EXPECT_EQ(step_watts(box, box.setups[0], rate_table),
            (std::vector{milliwatts(1110), milliwatts(510), milliwatts(1110)}));
}

}  // namespace
}  // namespace ebb::controller
