// SPDX-License-Identifier: Apache-2.0
//
// Policies that act by triggers, on switches that speak OpenFlow 1.3 over TCP: the controller reads
// counters of ports and of groups, and carries the triggers out.
#include "running_controller.hpp"

#include "ebb/runtime/description.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ebb::runtime {
namespace {

std::string triangle_with(const std::string& policy) {
  return std::string(kTriangle).substr(0, std::string(kTriangle).find("safety")) + "policy: {" +
         policy +
         "}\n"
         "safety: {min_awake_time: 0s, min_sleep_time: 0s, failure_holdoff: 0s, "
         "counter_interval: 20ms}\n";
}

class OnDemand : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(running_.connect_switches());
    ASSERT_TRUE(running_.wait_until([this] {
      return running_.has_said("all switches are here, and cables run as described");
    }));
  }
  [[nodiscard]] bool becomes(const std::string& state) {
    return running_.wait_until([&] { return running_.state_of("s1-s2") == state; });
  }

  [[nodiscard]] std::string explain() const { return running_.ask("explain s1-s2"); }

  RunningController running_{triangle_with("name: on-demand, idle: 200ms")};
};

TEST_F(OnDemand, SleepsWhenNothingIsSentAndWakesByWhatTakesTheDetour) {
  ASSERT_TRUE(becomes("asleep"));
  EXPECT_TRUE(running_.has_said("s1-s2 asleep: it is idle")) << running_.said();
  EXPECT_EQ(running_.state_of("s0-s1"), "active") << "of the core";
  EXPECT_NE(explain().find("frames must take its detour"), std::string::npos) << explain();
  running_.set_load(0.01);
  ASSERT_TRUE(becomes("active"));
  EXPECT_NE(explain().find("s1 to s2 must be idle for 0.20 s, and has been for"), std::string::npos)
      << explain();
  EXPECT_TRUE(running_.has_said("s1-s2 active: frames want it")) << running_.said();
  running_.set_load(0);
  EXPECT_TRUE(becomes("asleep"));
  EXPECT_FALSE(running_.has_said("ALARM")) << running_.said();
}

// What the file asks and live switches cannot keep is said when it is read.
TEST(TooQuick, PoliciesAreRefused) {
  const auto refused = [](const std::string& policy) {
    test::TemporaryFolder folder;
    const std::string path = folder.file("fabric.yaml");
    std::ofstream(path) << triangle_with(policy);
    const auto file = fabric_config::read_fabric(path);
    EXPECT_TRUE(file) << to_string(file.error());
    const auto made = live_policy(*file, {.world = "testbed"});
    return made ? std::string("taken") : to_string(made.error());
  };
  EXPECT_NE(refused("name: on-demand").find("after 1ns idle, but counters are read every 20ms"),
            std::string::npos)
      << refused("name: on-demand");
  EXPECT_NE(refused("name: history, period: 1s").find("after 1ns idle"), std::string::npos);
  EXPECT_EQ(refused("name: history, period: 1s, idle: 50ms"), "taken");
  EXPECT_EQ(refused("name: latency-budget, unit: 20ms"), "taken");
  EXPECT_NE(refused("name: latency-budget, unit: 19ms").find("after 19ms idle"), std::string::npos);
  EXPECT_NE(refused("name: stages, period: 100ms").find("min_decision_interval is 500ms"),
            std::string::npos);
  EXPECT_EQ(refused("name: stages"), "taken") << "as often as is allowed";
}

}  // namespace
}  // namespace ebb::runtime
