// SPDX-License-Identifier: Apache-2.0
#include "ebb/power/port_watts.hpp"

#include <gtest/gtest.h>

namespace ebb::power {
namespace {

PortSetup setup(const std::string& medium, DataRate rate, Power up) {
  PortSetup made;
  made.medium = medium;
  made.rate = rate;
  made.port.value = milliwatts(100);
  made.plugged.value = milliwatts(10);
  made.up.value = up;
  return made;
}

TEST(TheWattsOfSteps, AreThoseOfTheSetupOfTheSameShare) {
  Box box;
  box.setups = {setup("electrical", gigabits_per_second(10), milliwatts(1000)),
                setup("optical", gigabits_per_second(1), milliwatts(700)),
                setup("electrical", gigabits_per_second(1), milliwatts(400))};
  const std::vector<DataRate> rate_table = {megabits_per_second(1), megabits_per_second(10),
                                            megabits_per_second(100)};
  EXPECT_EQ(step_watts(box, box.setups[0], rate_table),
            (std::vector{milliwatts(1110), milliwatts(510), milliwatts(1110)}));
}

}  // namespace
}  // namespace ebb::power
