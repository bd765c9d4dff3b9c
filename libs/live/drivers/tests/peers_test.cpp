// SPDX-License-Identifier: Apache-2.0
//
// Which peers a live fabric admits. The switches are played by the test.
#include "small_fabric.hpp"
#include "support/certificates.hpp"
#include "support/fake_openflow_switches.hpp"

#include "ebb/drivers/live_fabric.hpp"
#include "ebb/transport/stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace ebb::drivers {
namespace {

using namespace std::chrono_literals;

constexpr transport::Milliseconds kSoon = 20s;

// A fabric whose switches connect to one shared listener over TLS.
class APeer : public testing::Test {
 protected:
  [[nodiscard]] transport::StreamOptions signed_as(const std::string& who) const {
    return {.tls = *transport::TlsContext::load(
                {authority.certificate(who), authority.key(who), authority.authority(), ""})};
  }
  [[nodiscard]] bool has_told(const std::string& text) const {
    return std::any_of(told.begin(), told.end(), [&](const std::string& line) {
      return line.find(text) != std::string::npos;
    });
  }
  void listen() {
    authority.sign("controller");
    listener.emplace(*transport::Listener::open(
        loop, *transport::parse_address("tls:127.0.0.1:0"), {.streams = signed_as("controller")},
        [this](transport::Stream stream) { live.admit(std::move(stream), std::nullopt); }));
    live.lead(1, [this](RoleReplyKind, const std::string& why) { lost = why; });
  }

  test::TemporaryFolder folder;
  test::Certificates authority{folder, "authority"};
  transport::Loop loop;
  SmallFabric small{3};
  Description& description = small.description;
  controller::Controller& controller = small.controller;
  std::vector<std::string> told;
  std::string lost;
  LiveFabric live{
      loop, description, controller, {.upkeep = 100ms}, [this](const OperatorEvent& event) {
        told.push_back(event.text);
      }};
  std::optional<transport::Listener> listener;
};

// Three switches, of which each shows the certificate of s1.
TEST_F(APeer, IsTheSwitchThatItsCertificateNames) {
  listen();
  authority.sign("s1");
  test::FakeOpenFlowSwitches switches(
      loop, description.graph, listener->address(), [] { return 0.0; }, signed_as("s1"));
  EXPECT_TRUE(loop.run_until(
      [&] { return live.is_here(1) && has_told("says to be s0") && has_told("says to be s2"); },
      kSoon));
  EXPECT_TRUE(has_told("but its certificate names s1"));
  EXPECT_FALSE(live.is_here(0));
  EXPECT_FALSE(live.is_here(2));
}

// One daemon may be several switches: its certificate names each.
TEST_F(APeer, MayHaveACertificateOfSeveralNames) {
  listen();
  authority.sign("daemon", "DNS:s0,DNS:s1,DNS:s2");
  test::FakeOpenFlowSwitches switches(
      loop, description.graph, listener->address(), [] { return 0.0; }, signed_as("daemon"));
  EXPECT_TRUE(loop.run_until([&] { return live.members() == 3; }, kSoon));
}

// The next term would begin with a generation that all other switches take for an old one.
TEST_F(APeer, CannotMakeGenerationsOverflow) {
  listen();
  authority.sign("daemon", "DNS:s0,DNS:s1,DNS:s2");
  test::FakeOpenFlowSwitches switches(
      loop, description.graph, listener->address(), [] { return 0.0; }, signed_as("daemon"));
  switches.deny_mastership(1, true);
  EXPECT_TRUE(loop.run_until([&] { return has_told("s1 is quarantined"); }, kSoon));
  EXPECT_TRUE(loop.run_until([&] { return live.members() == 2; }, kSoon));
  EXPECT_EQ(live.newest_generation(), 1U);
  EXPECT_EQ(lost, "");
}

}  // namespace
}  // namespace ebb::drivers
