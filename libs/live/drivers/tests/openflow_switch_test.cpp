// SPDX-License-Identifier: Apache-2.0
// Against a real Open vSwitch.

#include "ebb/drivers/openflow_switch.hpp"

#include "contract.hpp"
#include "support/open_vswitch.hpp"

#include "ebb/drivers/fake_ports.hpp"
#include "ebb/transport/stream.hpp"

namespace ebb::drivers::contract {
namespace {

class TestedOpenFlowDriver final : public TestedDriver {
 public:
  static std::string missing() {
    return test::OpenVswitch::is_installed() ? "" : "no Open vSwitch";
  }

  TestedOpenFlowDriver() { ovs_.add_bridge("br0", kPorts); }

  std::shared_ptr<PortDriver> connect(PortEvents events) override {
    auto stream = transport::Stream::connect(
        loop, *transport::parse_address("unix:" + ovs_.file("br0.mgmt")));
    EXPECT_TRUE(stream);
    bool ready = false;
    openflow::ConnectionEvents heard;
    heard.ready = [&](const auto&) { ready = true; };
    heard.port_status = [this](const openflow::PortStatus& status) {
      if (const auto driver = driver_.lock()) driver->port_changed(status);
    };
    connection_ = std::make_unique<openflow::Connection>(
        loop, std::move(*stream), openflow::Timing{.answer = 3s}, std::move(heard));
    EXPECT_TRUE(loop.run_until([&] { return ready; }, kLong));
    hear_ports();
    SwitchEvents of_switch;
    static_cast<PortEvents&>(of_switch) = std::move(events);
    auto driver = std::make_shared<OpenFlowSwitch>(*connection_, std::move(of_switch));
    driver_ = driver;
    return driver;
  }

  void send(PortNumber port, int frames) override {
    std::string actions;
    for (int i = 0; i < frames; ++i) actions += fmt::format(",output:{}", port);
    ovs_.ofctl("packet-out",
               fmt::format("'in_port=controller,packet={}{:0{}},actions={}'",
                           "020000000001020000000002ffff", 0, 2 * kFrameBytes, actions.substr(1)));
  }
  // Ports of the dummy datapath have no cable: they go down by another hand.
  void cut(PortNumber port) override { set_outside(port, "down"); }
  void mend(PortNumber port) override { set_outside(port, "up"); }
  void fall_silent() override { ovs_.daemon().pause(); }

 private:
  void set_outside(PortNumber port, const std::string& state) {
    ovs_.appctl(fmt::format("netdev-dummy/set-admin-state br0p{} {}", port, state));
  }

  // As a management socket of Open vSwitch wants to be asked.
  void hear_ports() {
    bool done = false;
    connection_->set_async({.packet_in = {}, .port_status = {7, 7}, .flow_removed = {}},
                           [&](const auto& answer) { done = answer.has_value(); });
    EXPECT_TRUE(loop.run_until([&] { return done; }, kLong));
  }

  test::OpenVswitch ovs_;
  std::unique_ptr<openflow::Connection> connection_;
  std::weak_ptr<OpenFlowSwitch> driver_;
};

INSTANTIATE_TYPED_TEST_SUITE_P(OpenFlow, PortContract, TestedOpenFlowDriver);

class TestedFakeDriver final : public TestedDriver {
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

INSTANTIATE_TYPED_TEST_SUITE_P(Fake, PortContract, TestedFakeDriver);

}  // namespace
}  // namespace ebb::drivers::contract
