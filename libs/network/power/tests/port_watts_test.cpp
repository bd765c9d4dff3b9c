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

// The setup's numbers from `mine`, those of a slower setup from `slower`.
Accuracy accuracy(Evidence mine, Evidence slower) {
  Library library;
  PortSetup full = setup("electrical", gigabits_per_second(10), milliwatts(1000));
  PortSetup half = setup("electrical", gigabits_per_second(5), milliwatts(700));
  const PortSetup other = setup("optical", gigabits_per_second(5), milliwatts(700));
  full.up.source = library.add_source({.id = "full", .title = "1", .evidence = mine});
  full.port.source = full.plugged.source = full.up.source;
  half.up.source = library.add_source({.id = "half", .title = "2", .evidence = slower});
  half.port.source = half.plugged.source = half.up.source;
  Box box;
  box.setups = {full, half, other};
  return accuracy_of(library, box, full);
}

TEST(TheAccuracy, OfModelsAndOfDataSheetsIsToldApart) {
  EXPECT_EQ(accuracy(Evidence::datasheet, Evidence::published), Accuracy::static_data);
  EXPECT_EQ(accuracy(Evidence::measured, Evidence::measured), Accuracy::modelled);
  EXPECT_EQ(accuracy(Evidence::assumed, Evidence::datasheet), Accuracy::modelled);
  EXPECT_EQ(accuracy(Evidence::datasheet, Evidence::measured), Accuracy::modelled);
}

TEST(TheAccuracy, HasWords) {
  for (const Accuracy one :
       {Accuracy::unknown, Accuracy::modelled, Accuracy::static_data, Accuracy::measured})
    EXPECT_EQ(accuracy_named(to_text(one)), one);
  EXPECT_FALSE(accuracy_named("gold"));
}

}  // namespace
}  // namespace ebb::power
