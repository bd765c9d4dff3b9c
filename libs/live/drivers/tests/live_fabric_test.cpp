// SPDX-License-Identifier: Apache-2.0
#include "ebb/drivers/live_fabric.hpp"

#include "small_fabric.hpp"
#include "support/open_vswitch.hpp"

#include "ebb/openflow/message.hpp"
#include "ebb/transport/stream.hpp"

#include <gtest/gtest.h>

namespace ebb::drivers {
namespace {

using namespace std::chrono_literals;

const transport::Clock::time_point kStart{1000s};

std::int64_t passed(EventRateLimit& limit, int times, transport::Clock::time_point at,
                    const char* device = "s0") {
  std::int64_t count = 0;
  for (int i = 0; i < times; ++i)
    count += limit.pass({"unknown_peer", device, "somebody"}, at).has_value() ? 1 : 0;
  return count;
}

TEST(EventRateLimit, SoManyAtOnceThenOneASecond) {
  EventRateLimit limit;
  EXPECT_EQ(passed(limit, 1000, kStart), EventRateLimit::kAtOnce);
  EXPECT_EQ(passed(limit, 1000, kStart + 999ms), 0);
  EXPECT_EQ(passed(limit, 1000, kStart + 1s), 1);
  EXPECT_EQ(passed(limit, 1000, kStart + 3s), 2);
  EXPECT_EQ(passed(limit, 1000, kStart + 10h), EventRateLimit::kAtOnce);
}

TEST(EventRateLimit, OthersAreNotSilenced) {
  EventRateLimit limit;
  passed(limit, 1000, kStart);
  EXPECT_EQ(passed(limit, 1, kStart, "s1"), 1);
  EXPECT_TRUE(limit.pass({"switch_gone", "s0", "s0 has gone"}, kStart));
}

TEST(EventRateLimit, SaysHowManyWereKeptBack) {
  EventRateLimit limit;
  passed(limit, 107, kStart);
  EXPECT_EQ(limit.pass({"unknown_peer", "s0", "somebody"}, kStart + 1s)->text,
            "somebody (7 more like it were not told)");
  EXPECT_EQ(limit.pass({"unknown_peer", "s0", "somebody"}, kStart + 2s)->text, "somebody");
}

}  // namespace

// A real Open vSwitch, behind a relay that loses what a test says.
namespace {

using namespace std::chrono_literals;

constexpr transport::Milliseconds kLong = 30s;
constexpr std::byte kRoleRequest{24};  // OpenFlow 1.3, 7.1

// Loses the first request of a kind on its way to the switch; everything else passes.
class LossyRelay {
 public:
  LossyRelay(transport::Loop& loop, const std::string& folder, const transport::Address& to,
             std::byte lost)
      : lost_(lost),
        door_(*transport::Listener::open(
            loop, {.kind = transport::Kind::unix_socket, .path = folder + "/way"}, {},
            [this, &loop, to](transport::Stream stream) {
              join(std::move(stream), *transport::Stream::connect(loop, to));
            })) {}

  [[nodiscard]] const transport::Address& address() const { return door_.address(); }
  [[nodiscard]] int times_asked() const { return asked_; }

 private:
  void join(transport::Stream near, transport::Stream far) {
    near_ = std::make_unique<transport::Stream>(std::move(near));
    far_ = std::make_unique<transport::Stream>(std::move(far));
    far_->on({.received = [this](auto bytes) { near_->send(bytes); }});
    near_->on({.received = [this](auto bytes) {
      framer_.feed(bytes);
      pass();
    }});
  }
  void pass() {
    for (auto message = framer_.next(); message && !message->empty(); message = framer_.next()) {
      const bool is_first = (*message)[1] == lost_ && asked_++ == 0;
      if (!is_first) far_->send(*message);
    }
  }

  std::byte lost_;
  int asked_ = 0;
  openflow::Framer framer_;
  std::unique_ptr<transport::Stream> near_;
  std::unique_ptr<transport::Stream> far_;
  transport::Listener door_;
};

// The first of the two switches of a description.
class ALiveFabric : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::OpenVswitch::is_installed()) GTEST_SKIP() << "no Open vSwitch";
    ovs = std::make_unique<test::OpenVswitch>();
    ovs->add_bridge("br0", 2);
    ovs->vsctl("set bridge br0 other-config:datapath-id=0000000000000001");
  }

  // The fabric leads, and the switch comes.
  void admit_to(LiveFabric& live) {
    live.lead(1, [](RoleReplyKind, const std::string& why) { ADD_FAILURE() << why; });
    const auto address = transport::parse_address("unix:" + ovs->file("br0.mgmt"));
    live.admit(*transport::Stream::connect(loop, *address), 0);
  }

  std::unique_ptr<test::OpenVswitch> ovs;
  transport::Loop loop;
  SmallFabric small{2};
  Description& description = small.description;
  controller::Controller& controller = small.controller;
};

TEST_F(ALiveFabric, RequestsMasterAgainOfASwitchThatDidNotAnswer) {
  LossyRelay relay(loop, ovs->file(""), *transport::parse_address("unix:" + ovs->file("br0.mgmt")),
                   kRoleRequest);
  bool gone = false;
  LiveFabric live(loop, description, controller, {.upkeep = 200ms}, [](const OperatorEvent&) {});
  live.lead(1, [](RoleReplyKind, const std::string& why) { ADD_FAILURE() << why; });
  live.admit(*transport::Stream::connect(loop, relay.address()), 0, [&] { gone = true; });
  EXPECT_TRUE(loop.run_until([&] { return live.is_here(0); }, kLong));
  EXPECT_FALSE(gone) << "the connection was lost, and the switch did not come by itself";
  EXPECT_GE(relay.times_asked(), 2);
}

// What the operator put there is not removed because a controller was pointed at the switch.
TEST_F(ALiveFabric, DoesNotWriteToASwitchWithForeignRules) {
  ovs->ofctl("add-flow", "'cookie=0x1234,priority=5,in_port=1,actions=output:2'");
  std::string told;
  LiveFabric live(loop, description, controller, {.upkeep = 100ms},
                  [&](const OperatorEvent& event) { told += event.text + "\n"; });
  admit_to(live);
  EXPECT_TRUE(loop.run_until([&] { return told.find("--adopt") != std::string::npos; }, kLong));
  EXPECT_FALSE(live.is_here(0));
  EXPECT_NE(told.find("s0 holds 1 rules and 0 groups that are not ebb's"), std::string::npos)
      << told;
  ovs->ofctl("del-flows", "cookie=0x1234/-1");
  EXPECT_TRUE(loop.run_until([&] { return live.is_here(0); }, kLong))
      << "it is taken as soon as the foreign rule has gone";
}

TEST_F(ALiveFabric, DoesNotWriteToASwitchWithForeignGroups) {
  ovs->ofctl("add-group", "group_id=7,type=all,bucket=output:1,bucket=output:2");
  std::string told;
  LiveFabric live(loop, description, controller, {.upkeep = 100ms},
                  [&](const OperatorEvent& event) { told += event.text + "\n"; });
  admit_to(live);
  EXPECT_TRUE(loop.run_until([&] { return told.find("--adopt") != std::string::npos; }, kLong));
  EXPECT_FALSE(live.is_here(0));
}

TEST_F(ALiveFabric, TakesOverASwitchWithForeignRulesWhenAsked) {
  ovs->ofctl("add-flow", "'cookie=0x1234,priority=5,in_port=1,actions=output:2'");
  LiveFabric live(loop, description, controller, {.adopt = true}, [](const OperatorEvent&) {});
  admit_to(live);
  EXPECT_TRUE(loop.run_until([&] { return live.is_here(0); }, kLong));
}

// A switch with rules of another program of ebb, as after a change of the fabric file.
TEST_F(ALiveFabric, TakesOverASwitchWithRulesOfAnotherProgram) {
  ovs->ofctl("add-flow", "'cookie=0xebb0123456789abc,priority=5,in_port=1,actions=output:2'");
  LiveFabric live(loop, description, controller, {}, [](const OperatorEvent&) {});
  admit_to(live);
  EXPECT_TRUE(loop.run_until([&] { return live.is_here(0); }, kLong));
}

}  // namespace
}  // namespace ebb::drivers
