// SPDX-License-Identifier: Apache-2.0
//
// The driver of power of test fabrics: two switches of Open vSwitch, each with a cable to the
// other.
#include "../../drivers/tests/power_contract.hpp"
#include "support/temporary_folder.hpp"

#include "ebb/runtime/power_access.hpp"
#include "ebb/testbed/fabric.hpp"
#include "ebb/transport/stream.hpp"

#include <unistd.h>

namespace ebb::drivers::contract {
namespace {

topology::Graph two_switches() {
  topology::GraphBuilder builder(2, 2, {{megabits_per_second(10)}});
  builder.connect(builder.switch_node(0), builder.host_node(0));
  builder.connect(builder.switch_node(1), builder.host_node(1));
  builder.connect(builder.switch_node(0), builder.switch_node(1));
  return std::move(builder).build({"imported", {}});
}

class TestedFabric final : public TestedPower {
 public:
  static std::string missing() {
    const Errors reasons = testbed::validate_machine();
    return reasons.empty() ? "" : reasons.front().message;
  }

  TestedFabric() {
    const auto layout = testbed::lay_out(
        name_, two_switches(), {{0x020000000000, 0x0a000000}, {0x020000000002, 0x0a000002}});
    const auto up = testbed::bring_up(layout, {.state = state_});
    EXPECT_TRUE(up) << to_string(up.error());
  }
  ~TestedFabric() override { EXPECT_TRUE(testbed::take_down(name_, state_)); }

  std::unique_ptr<PowerDriver> connect() override {
    return runtime::testbed_power(name_, state_, 2)(loop);
  }
  // Its daemons leave their sockets behind: whether somebody listens is what counts.
  bool is_on(std::uint32_t device) override {
    const std::string socket = state_.device(name_, device) + "/br0.mgmt";
    return transport::Stream::connect(loop, {.kind = transport::Kind::unix_socket, .path = socket},
                                      {})
        .has_value();
  }
  bool fall_silent() override { return false; }

 private:
  test::TemporaryFolder folder_;
  testbed::StateFolder state_{folder_.file("state")};
  std::string name_ = "pw" + std::to_string(getpid());
};

INSTANTIATE_TYPED_TEST_SUITE_P(Testbed, PowerContract, TestedFabric);

}  // namespace
}  // namespace ebb::drivers::contract
