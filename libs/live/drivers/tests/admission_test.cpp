// SPDX-License-Identifier: Apache-2.0
//
// What a host can send into the fabric: traced through the rules of a real Open vSwitch.
#include "support/open_vswitch.hpp"

#include "ebb/drivers/openflow_program.hpp"
#include "ebb/drivers/openflow_switch.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/transport/stream.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

namespace ebb::drivers {
namespace {

using namespace std::chrono_literals;

// Two switches with a host each. Of the first, port 1 leads to its host and port 2 to the other.
class Admission : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::OpenVswitch::is_installed()) GTEST_SKIP() << "no Open vSwitch";
    ovs = std::make_unique<test::OpenVswitch>();
    ovs->add_bridge("br0", 2);
    bool ready = false;
    bool installed = false;
    openflow::Connection connection(
        loop,
        *transport::Stream::connect(loop,
                                    *transport::parse_address("unix:" + ovs->file("br0.mgmt"))),
        {}, {.ready = [&](const auto&) { ready = true; }});
    ASSERT_TRUE(loop.run_until([&] { return ready; }, 30s));
    SwitchEvents events;
    events.installed = [&](const auto&) { installed = true; };
    events.error = [](const std::string& what) { ADD_FAILURE() << what; };
    OpenFlowSwitch device(connection, std::move(events));
    const auto maker = *forwarding::TableMaker::make(graph, plan);
    const auto table = maker.table(0, forwarding::Detail::compact, forwarding::BackupPaths::none);
    device.install(program(graph, plan, table, {}), true, ForeignRules::refuse);
    ASSERT_TRUE(loop.run_until([&] { return installed; }, 30s));
  }

  [[nodiscard]] std::string mac(std::uint32_t host) const {
    return forwarding::to_text(forwarding::mac_of(plan.of_host(host)));
  }
  [[nodiscard]] std::string ip(std::uint32_t host) const {
    const auto bits = static_cast<std::uint64_t>(forwarding::mac_of(plan.of_host(host)));
    return fmt::format("10.{}.{}.{}", bits >> 16U & 255U, bits >> 8U & 255U, bits & 255U);
  }
  // The last line of the trace of a frame: what the datapath does with it.
  [[nodiscard]] std::string becomes(const std::string& frame) const {
    const std::string command = fmt::format(
        "PATH=$PATH:/usr/sbin:/sbin ovs-appctl --timeout=20 -t {} ofproto/trace br0 '{}'",
        ovs->file("vswitchd.ctl"), frame);
    std::FILE* pipe = popen(command.c_str(), "r");
    std::string last;
    std::array<char, 4096> line{};
    while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
      const std::string text = line.data();
      if (text.starts_with("Datapath actions: ")) last = text.substr(18, text.size() - 19);
    }
    pclose(pipe);
    return last;
  }
  [[nodiscard]] std::string ethernet(int port, const std::string& from, const std::string& to,
                                     const std::string& more) const {
    return fmt::format("in_port={},dl_src={},dl_dst={},{}", port, from, to, more);
  }

  topology::Graph graph = *topology::build("complete", {{"switches", "2"}, {"hosts", "1"}},
                                           topology::RateTable{megabits_per_second(100)});
  forwarding::AddressPlan plan = *forwarding::AddressPlan::make(graph);
  std::unique_ptr<test::OpenVswitch> ovs;
  transport::Loop loop;
};

constexpr const char* kForeign = "02:00:00:0f:0f:0f";

TEST_F(Admission, AHostSendsWithItsOwnAddresses) {
  const auto ipv4 = [](const std::string& source) { return "dl_type=0x0800,nw_src=" + source; };
  EXPECT_NE(becomes(ethernet(1, mac(0), mac(1), ipv4(ip(0)))), "drop");
  EXPECT_EQ(becomes(ethernet(1, kForeign, mac(1), ipv4(ip(0)))), "drop");
  EXPECT_EQ(becomes(ethernet(1, mac(1), mac(1), ipv4(ip(1)))), "drop");
  EXPECT_EQ(becomes(ethernet(1, mac(0), mac(1), ipv4(ip(1)))), "drop");
  EXPECT_NE(becomes(ethernet(1, mac(0), mac(1), "dl_type=0xffff")), "drop");
  EXPECT_EQ(becomes(ethernet(1, kForeign, mac(1), "dl_type=0xffff")), "drop");
}

TEST_F(Admission, BetweenSwitchesEverySourcePasses) {
  EXPECT_NE(becomes(ethernet(2, mac(1), mac(0), "dl_type=0x0800,nw_src=" + ip(1))), "drop");
  EXPECT_NE(becomes(ethernet(2, mac(1), mac(0), "dl_type=0xffff")), "drop");
}

TEST_F(Admission, AHostHasNoAddressYet) {
  const std::string broadcast = "ff:ff:ff:ff:ff:ff";
  EXPECT_NE(becomes(ethernet(1, kForeign, "01:80:c2:00:00:0e", "dl_type=0x88b5")), "drop");
  EXPECT_NE(becomes(ethernet(1, kForeign, broadcast, "arp,arp_op=1,arp_tpa=" + ip(1))), "drop");
}

TEST_F(Admission, AHostAnswersForItselfOnly) {
  EXPECT_NE(becomes(ethernet(1, mac(0), mac(1), "arp,arp_op=2,arp_spa=" + ip(0))), "drop");
  EXPECT_EQ(becomes(ethernet(1, mac(0), mac(1), "arp,arp_op=2,arp_spa=10.9.9.9")), "drop");
  EXPECT_EQ(becomes(ethernet(1, mac(0), mac(1), "arp,arp_op=1,arp_spa=10.9.9.9")), "drop");
}

TEST_F(Admission, ProbesOfHostsDoNotReachTheController) {
  const std::string to = "01:80:c2:00:00:0e";
  EXPECT_EQ(becomes(ethernet(1, mac(0), to, "dl_type=0x88b6")), "drop");
  EXPECT_NE(becomes(ethernet(2, kForeign, to, "dl_type=0x88b6")), "drop");
}

}  // namespace
}  // namespace ebb::drivers
