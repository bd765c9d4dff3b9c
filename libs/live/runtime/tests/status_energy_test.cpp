// SPDX-License-Identifier: Apache-2.0
#include "running_controller.hpp"

#include "ebb/runtime/status.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ebb::runtime {
namespace {

std::string refused(const nlohmann::ordered_json& status) {
  const auto objects = energy_objects(status);
  return objects ? "" : objects.error().front().message;
}

TEST(EnergyOfTheStatus, IsThatOfTheFabricAndOfItsLinks) {
  RunningController running(std::string(kTriangle) + "parts: {switch: a-box}\n");
  ASSERT_TRUE(running.connect_switches());
  ASSERT_TRUE(running.wait_until([&] { return running.ask("drain s1-s2") == "done"; }));
  ASSERT_TRUE(running.wait_until([&] { return running.state_of("s1-s2") == "asleep"; }));
  const auto status = running.status();
  const auto objects = energy_objects(status);
  ASSERT_TRUE(objects) << to_string(objects.error());
  ASSERT_EQ(objects->size(), 4U) << "links of hosts are not told";
  const monitor::EnergyObject& fabric = objects->front();
  EXPECT_EQ(fabric.id, "triangle");
  EXPECT_EQ(fabric.power, watts(2 * 2 * 3 + 2 * 1));
  EXPECT_EQ(fabric.accuracy, power::Accuracy::static_data);
  ASSERT_TRUE(fabric.consumed);
  // The three links draw at least 2 W each; the last interval may be of after the status.
  const double seconds = status["at_s"].get<double>();
  EXPECT_GT(to_joules(*fabric.consumed), 6 * seconds * 0.5);
  EXPECT_LE(to_joules(*fabric.consumed), 18 * seconds);
  Power links;
  for (std::size_t which = 1; which < objects->size(); ++which) {
    const monitor::EnergyObject& link = (*objects)[which];
    EXPECT_EQ(link.power, link.id == "triangle/s1-s2" ? watts(2) : watts(6)) << link.id;
    EXPECT_FALSE(link.consumed);
    links += link.power;
  }
  EXPECT_EQ(links, fabric.power);
}

TEST(EnergyOfTheStatus, IsRefusedWhereWattsAreNotKnown) {
  RunningController running(kTriangle);
  ASSERT_TRUE(running.connect_switches());
  ASSERT_TRUE(running.wait_until([&] { return running.all_here(); }));
  auto status = running.status();
  EXPECT_TRUE(refused(status).starts_with("the fabric file names no part")) << refused(status);
  status["modelled"].erase("accuracy");
  EXPECT_TRUE(refused(status).starts_with("the controller is of a version")) << refused(status);
}

}  // namespace
}  // namespace ebb::runtime
