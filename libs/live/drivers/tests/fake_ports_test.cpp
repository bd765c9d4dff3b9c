// SPDX-License-Identifier: Apache-2.0
#include "ebb/drivers/fake_ports.hpp"

#include "contract.hpp"

namespace ebb::drivers::contract {
namespace {

class FakeWorld final : public World {
 public:
  static std::string missing() { return ""; }

  std::shared_ptr<PortDriver> connect(PortEvents events) override {
    return std::make_shared<FakePorts>(loop, machine_, std::move(events));
  }
  void send(PortNumber port, int frames) override {
    const auto count = static_cast<std::uint64_t>(frames);
    machine_.send(port, count, count * kFrameBytes);
  }
  void cut(PortNumber port) override { machine_.cable(port, false); }
  void mend(PortNumber port) override { machine_.cable(port, true); }
  void fall_silent() override { machine_.answers = false; }
  std::optional<DataRate> rate_of(PortNumber port) override { return machine_.ports[port].rate; }
  std::optional<std::uint16_t> pvid_of(PortNumber port) override {
    return machine_.ports[port].pvid;
  }

 private:
  FakeSwitch machine_{kPorts};
};

INSTANTIATE_TYPED_TEST_SUITE_P(Fake, PortContract, FakeWorld);

}  // namespace
}  // namespace ebb::drivers::contract
