// SPDX-License-Identifier: Apache-2.0
#include "ebb/monitor/energy_objects.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ebb::monitor {
namespace {

using power::Accuracy;

std::string text_of(const EnergyObject& object) {
  return energy_objects_text(std::vector<EnergyObject>{object});
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(EnergyObjects, AreTheModelsJson) {
  EXPECT_EQ(text_of({.id = "tour",
                     .power = milliwatts(155'100),
                     .consumed = watts(155) * std::chrono::hours(24),
                     .accuracy = Accuracy::modelled}),
            R"({
  "ietf-power-and-energy:energy-objects": {
    "energy-entry": [
      {
        "energy-object-id": "tour",
        "power": {
          "instantaneous-power": 155100,
          "unit-multiplier": "multiplier-milli",
          "data-source-accuracy": "accuracy-estimated"
        },
        "energy": {
          "total-energy-consumed": "3720000",
          "unit-multiplier": "multiplier-milli",
          "data-source-accuracy": "accuracy-estimated"
        }
      }
    ]
  }
}
)");
}

TEST(EnergyObjects, SayWhatTheyRestOn) {
  EXPECT_TRUE(has(text_of({.id = "a", .accuracy = Accuracy::static_data}), "\"accuracy-static\""));
  EXPECT_TRUE(has(text_of({.id = "a", .accuracy = Accuracy::measured}), "\"accuracy-measured\""));
  EXPECT_TRUE(has(text_of({.id = "a"}), "\"accuracy-unknown\""));
}

TEST(EnergyObjects, AreInTheRangeOfTheirTypes) {
  const std::string large =
      text_of({.id = "a",
               .power = watts(3'000'000),
               .consumed = watts(9'000'000'000'000) * std::chrono::hours(3000)});
  EXPECT_TRUE(has(large, "\"instantaneous-power\": 3000000,\n"));
  EXPECT_TRUE(has(large, "\"unit-multiplier\": \"multiplier-units\""));
  EXPECT_FALSE(has(large, "multiplier-milli"));
  EXPECT_TRUE(has(large, "\"total-energy-consumed\": \"27000000000000000\""));
  const std::string negative = text_of(
      {.id = "a", .power = milliwatts(-62), .consumed = milliwatts(-62) * std::chrono::hours(1)});
  EXPECT_TRUE(has(negative, "\"instantaneous-power\": -62,"));
  EXPECT_FALSE(has(negative, "total-energy"));
}

TEST(EnergyObjects, AreRoundedToTheNearest) {
  EXPECT_TRUE(has(text_of({.id = "a", .power = microwatts(1'499)}), "\"instantaneous-power\": 1,"));
  EXPECT_TRUE(has(text_of({.id = "a", .power = microwatts(1'500)}), "\"instantaneous-power\": 2,"));
}

}  // namespace
}  // namespace ebb::monitor
