// SPDX-License-Identifier: Apache-2.0
//
// With real switches, where this user may make them. tests/fabric has the larger ones.
#include "ebb/testbed/fabric.hpp"

#include "support/temporary_folder.hpp"

#include "ebb/core/process.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <unistd.h>

namespace ebb::testbed {
namespace {

topology::Graph two_switches() {
  topology::GraphBuilder builder(2, 2, {{megabits_per_second(10)}});
  builder.connect(builder.switch_node(0), builder.host_node(0));
  builder.connect(builder.switch_node(1), builder.host_node(1));
  builder.connect(builder.switch_node(0), builder.switch_node(1));
  return std::move(builder).build({"imported", {}});
}

std::string shown_in(const std::string& space, std::vector<std::string> words) {
  words.insert(words.begin(), {"ip", "netns", "exec", space});
  return run_program(std::move(words))->output;
}

class TwoSwitches : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!validate_machine().empty()) GTEST_SKIP() << to_string(validate_machine());
    const auto made = bring_up(layout_, {state_});
    ASSERT_TRUE(made) << to_string(made.error());
  }
  void TearDown() override {
    if (find_fabric(name_, state_)) static_cast<void>(take_down(name_, state_));
  }

  test::TemporaryFolder folder_;
  StateFolder state_{folder_.file("run")};
  std::string name_ = "u" + std::to_string(getpid());
  Layout layout_ =
      lay_out(name_, two_switches(), {{0x020000000000, 0x0a000000}, {0x020000000002, 0x0a000002}});
};

TEST_F(TwoSwitches, ChangeTheRateOfAPort) {
  const auto fabric = read_manifest(name_, state_);
  ASSERT_TRUE(fabric);
  const auto of_switch = [&] {
    return shown_in(fabric->members[0].space, {"tc", "qdisc", "show", "dev", "p2"});
  };
  const auto of_host = [&] {
    return shown_in(fabric->members[2].space, {"tc", "qdisc", "show", "dev", "eth0"});
  };
  EXPECT_NE(of_switch().find("rate 10Mbit"), std::string::npos) << of_switch();
  EXPECT_NE(of_host().find("rate 10Mbit"), std::string::npos) << of_host();
  ASSERT_TRUE(set_rate(*fabric, 0, 1, megabits_per_second(3)));
  ASSERT_TRUE(set_rate(*fabric, 2, 0, megabits_per_second(2)));
  EXPECT_NE(of_switch().find("rate 3Mbit"), std::string::npos) << of_switch();
  EXPECT_NE(of_host().find("rate 2Mbit"), std::string::npos) << of_host();
}

TEST_F(TwoSwitches, LeaveNothingWhenAStepFails) {
  ASSERT_TRUE(take_down(name_, state_));
  layout_.nodes[1].ports[0].name = "a-name-that-no-interface-can-have";
  const auto made = bring_up(layout_, {state_});
  ASSERT_FALSE(made);
  EXPECT_NE(to_string(made.error()).find("ip failed"), std::string::npos)
      << to_string(made.error());
  EXPECT_FALSE(std::filesystem::exists(state_.fabric(name_)));
  EXPECT_FALSE(std::filesystem::exists("/run/netns/" + layout_.nodes[0].space));
}

TEST_F(TwoSwitches, AreBrokenWhenADaemonHasEnded) {
  EXPECT_TRUE(standing_fabrics(state_).at(0).whole);
  const auto ended =
      run_program({"ovs-appctl", "-t", state_.device(name_, 1) + "/ovs-vswitchd.ctl", "exit"});
  ASSERT_EQ(ended->exit_code, 0);
  for (int wait = 0; wait < 100 && standing_fabrics(state_).at(0).whole; ++wait) usleep(20'000);
  EXPECT_FALSE(standing_fabrics(state_).at(0).whole);
}

}  // namespace
}  // namespace ebb::testbed
