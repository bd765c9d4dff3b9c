// SPDX-License-Identifier: Apache-2.0
//
// What every driver of ports keeps (port_driver.hpp), run on whatever implements it. For another
// driver: a TestedDriver, then
//
//   INSTANTIATE_TYPED_TEST_SUITE_P(MyProtocol, PortContract, MyWorld);
#pragma once

#include "ebb/drivers/port_driver.hpp"
#include "ebb/transport/loop.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ebb::drivers::contract {

using forwarding::PortNumber;
using namespace std::chrono_literals;

inline constexpr PortNumber kPorts = 3;  // of the switch: 1, 2, 3, all live
inline constexpr PortNumber kNoPort = 99;
inline constexpr std::uint64_t kFrameBytes = 100;  // of each frame that a tested sends, at least
inline constexpr transport::Milliseconds kLong = 30s;

// A switch with three ports, what happens to it from outside, and how a driver comes to it. Made
// without arguments, and has `static std::string missing()`: why there is none on this machine,
// empty when there is.
class TestedDriver {
 public:
  TestedDriver() = default;
  TestedDriver(const TestedDriver&) = delete;
  TestedDriver& operator=(const TestedDriver&) = delete;
  virtual ~TestedDriver() = default;

  // A driver that is ready for orders. The tested keeps what it needs, but not the driver. A switch
  // that is silent is given up within some 5 s.
  virtual std::shared_ptr<PortDriver> connect(PortEvents events) = 0;
  // So many frames leave the switch by the port; they have when this returns.
  virtual void send(PortNumber port, int frames) = 0;
  // The cable of a port is cut: without it the port is not live.
  virtual void cut(PortNumber port) = 0;
  virtual void mend(PortNumber port) = 0;
  // The switch answers nothing any more.
  virtual void fall_silent() = 0;
  // What was set, as the switch has it; for worlds whose driver can set it.
  virtual std::optional<DataRate> rate_of(PortNumber /*port*/) { return std::nullopt; }
  virtual std::optional<std::uint16_t> pvid_of(PortNumber /*port*/) { return std::nullopt; }

  transport::Loop loop;
};

struct Reply {
  bool ok = false;
  std::string why;
};

template <class SomeWorld>
class PortContract : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = SomeWorld::missing(); !missing.empty()) GTEST_SKIP() << missing;
    tested_ = std::make_unique<SomeWorld>();
    connect();
  }

  void connect() {
    driver_.reset();
    driver_ = tested_->connect({.changed =
                                    [this](PortNumber port, const PortStatus& found) {
                                      ++calls_;
                                      seen_[port] = found;
                                    },
                                .counted =
                                    [this](std::span<const PortTraffic> traffic) {
                                      ++calls_;
                                      counters_.emplace(traffic.begin(), traffic.end());
                                    },
                                .error =
                                    [this](const std::string& what) {
                                      ++calls_;
                                      error_.push_back(what);
                                    }});
    seen_ = find();
  }

  bool wait(const std::function<bool()>& condition) {
    return tested_->loop.run_until(condition, kLong);
  }

  std::map<PortNumber, PortStatus> find() {
    std::optional<std::map<PortNumber, PortStatus>> found;
    driver_->find_ports([&](const auto& ports) { found = ports; });
    EXPECT_TRUE(wait([&] { return found.has_value(); }))
        << (error_.empty() ? "no error" : error_.back());
    return found.value_or(std::map<PortNumber, PortStatus>{});
  }

  PortTraffic count(PortNumber port) {
    counters_.reset();
    driver_->read_counters();
    EXPECT_TRUE(wait([&] { return counters_.has_value(); }));
    for (const PortTraffic& one : counters_.value_or(std::vector<PortTraffic>{})) {
      if (one.port == port) return one;
    }
    ADD_FAILURE() << "no counters of port " << port;
    return {};
  }

  // Some drivers see changes only when they read counters, as a controller does all the time.
  bool wait_for_port(PortNumber port, const PortStatus& wanted) {
    const auto end = transport::Clock::now() + kLong;
    while (!(seen_[port] == wanted) && transport::Clock::now() < end) {
      count(port);
      tested_->loop.run_until([&] { return seen_[port] == wanted; }, 20ms);
    }
    return seen_[port] == wanted;
  }

  bool wait_until_live(PortNumber port, bool live) {
    const auto end = transport::Clock::now() + kLong;
    while (seen_[port].oper_up != live && transport::Clock::now() < end) {
      count(port);
      tested_->loop.run_until([&] { return seen_[port].oper_up == live; }, 20ms);
    }
    return seen_[port].oper_up == live;
  }

  PortDriver::Done note(std::optional<Reply>& reply) {
    return [this, &reply](bool ok, const std::string& why) {
      ++calls_;
      EXPECT_FALSE(reply) << "answered twice";
      reply = Reply{ok, why};
    };
  }

  Reply set_port(PortNumber port, bool up) {
    std::optional<Reply> reply;
    driver_->set_port(port, up, note(reply));
    EXPECT_TRUE(wait([&] { return reply.has_value(); }));
    return reply.value_or(Reply{});
  }
  Reply set_rate(PortNumber port, DataRate rate) {
    std::optional<Reply> reply;
    driver_->set_rate(port, rate, note(reply));
    EXPECT_TRUE(wait([&] { return reply.has_value(); }));
    return reply.value_or(Reply{});
  }
  Reply set_pvid(PortNumber port, std::uint16_t vlan) {
    std::optional<Reply> reply;
    driver_->set_pvid(port, vlan, note(reply));
    EXPECT_TRUE(wait([&] { return reply.has_value(); }));
    return reply.value_or(Reply{});
  }

  std::unique_ptr<SomeWorld> tested_;
  std::shared_ptr<PortDriver> driver_;  // goes before its tested
  std::map<PortNumber, PortStatus> seen_;
  std::optional<std::vector<PortTraffic>> counters_;
  std::vector<std::string> error_;
  int calls_ = 0;
};

inline constexpr PortStatus kLive{.admin_down = false, .oper_up = true};
inline constexpr PortStatus kAsleep{.admin_down = true, .oper_up = false};

TYPED_TEST_SUITE_P(PortContract);

TYPED_TEST_P(PortContract, FindsThePortsThatThereAre) {
  const std::map<PortNumber, PortStatus> expected{{1, kLive}, {2, kLive}, {3, kLive}};
  EXPECT_EQ(this->seen_, expected);
}

TYPED_TEST_P(PortContract, APortSleepsAndWakesAlone) {
  const Reply down = this->set_port(2, false);
  ASSERT_TRUE(down.ok) << down.why;
  EXPECT_TRUE(this->wait_for_port(2, kAsleep));
  EXPECT_EQ(this->seen_[1], kLive);
  EXPECT_EQ(this->seen_[3], kLive);
  const Reply up = this->set_port(2, true);
  ASSERT_TRUE(up.ok) << up.why;
  EXPECT_TRUE(this->wait_for_port(2, kLive));
  EXPECT_TRUE(this->error_.empty()) << this->error_[0];
}

TYPED_TEST_P(PortContract, SayingItTwiceIsNoMistake) {
  for (const bool up : {false, false, true, true}) {
    const Reply reply = this->set_port(1, up);
    EXPECT_TRUE(reply.ok) << reply.why;
  }
  EXPECT_TRUE(this->wait_for_port(1, kLive));
}

TYPED_TEST_P(PortContract, OrdersToAPortAreCarriedOutInTheirOrder) {
  constexpr int kOrders = 21;  // the last one says down
  std::vector<int> answered;
  for (int i = 0; i < kOrders; ++i) {
    this->driver_->set_port(1, i % 2 == 1, [&, i](bool ok, const std::string& why) {
      EXPECT_TRUE(ok) << why;
      answered.push_back(i);
    });
  }
  ASSERT_TRUE(this->wait([&] { return answered.size() == kOrders; }));
  EXPECT_TRUE(std::is_sorted(answered.begin(), answered.end()));
  EXPECT_TRUE(this->wait_for_port(1, kAsleep));
  EXPECT_EQ(this->find()[1], kAsleep);
}

TYPED_TEST_P(PortContract, WhoComesLaterFindsWhatSleeps) {
  ASSERT_TRUE(this->set_port(3, false).ok);
  ASSERT_TRUE(this->wait_for_port(3, kAsleep));
  this->connect();
  EXPECT_EQ(this->seen_[3], kAsleep);
  EXPECT_EQ(this->seen_[1], kLive);
}

TYPED_TEST_P(PortContract, ACutCableIsSeen) {
  this->tested_->cut(2);
  EXPECT_TRUE(this->wait_until_live(2, false));
  EXPECT_EQ(this->seen_[1], kLive);
  this->tested_->mend(2);
  EXPECT_TRUE(this->wait_for_port(2, kLive));
}

TYPED_TEST_P(PortContract, AnUnknownPortIsRefusedInWords) {
  for (const Reply& reply :
       {this->set_port(kNoPort, false), this->set_rate(kNoPort, megabits_per_second(10)),
        this->set_pvid(kNoPort, 10)}) {
    EXPECT_FALSE(reply.ok);
    EXPECT_FALSE(reply.why.empty());
  }
  EXPECT_EQ(this->find().size(), kPorts);
}

TYPED_TEST_P(PortContract, CountersHaveWhatWasSentBeforeTheQuestion) {
  constexpr int kFrames = 5;
  PortTraffic before = this->count(1);
  for (int round = 0; round < 3; ++round) {
    this->tested_->send(1, kFrames);
    const PortTraffic after = this->count(1);
    EXPECT_GE(after.sent_frames, before.sent_frames + kFrames);
    EXPECT_GE(after.sent_bytes, before.sent_bytes + kFrames * kFrameBytes);
    EXPECT_GE(after.received_bytes, before.received_bytes);
    before = after;
  }
}

TYPED_TEST_P(PortContract, CountersNeverFallWhenAPortSleeps) {
  this->tested_->send(1, 5);
  const PortTraffic before = this->count(1);
  ASSERT_TRUE(this->set_port(1, false).ok);
  ASSERT_TRUE(this->wait_for_port(1, kAsleep));
  const PortTraffic asleep = this->count(1);
  EXPECT_GE(asleep.sent_frames, before.sent_frames);
  EXPECT_GE(asleep.sent_bytes, before.sent_bytes);
  ASSERT_TRUE(this->set_port(1, true).ok);
  ASSERT_TRUE(this->wait_for_port(1, kLive));
  EXPECT_GE(this->count(1).sent_bytes, asleep.sent_bytes);
}

TYPED_TEST_P(PortContract, RatesAreSetOrRefusedInWords) {
  const DataRate rate = megabits_per_second(10);
  const Reply reply = this->set_rate(2, rate);
  EXPECT_EQ(reply.ok, this->driver_->can().rates) << reply.why;
  if (reply.ok) {
    EXPECT_EQ(this->tested_->rate_of(2), rate);
  } else {
    EXPECT_FALSE(reply.why.empty());
  }
}

TYPED_TEST_P(PortContract, PvidsAreSetOrRefusedInWords) {
  const Reply reply = this->set_pvid(2, 20);
  EXPECT_EQ(reply.ok, this->driver_->can().pvids) << reply.why;
  if (reply.ok) {
    EXPECT_EQ(this->tested_->pvid_of(2), 20);
    EXPECT_FALSE(this->set_pvid(2, 4095).ok) << "no such VLAN";
    EXPECT_EQ(this->tested_->pvid_of(2), 20);
  } else {
    EXPECT_FALSE(reply.why.empty());
  }
}

TYPED_TEST_P(PortContract, ASilentSwitchIsAnsweredFor) {
  this->tested_->fall_silent();
  const Reply reply = this->set_port(1, false);
  EXPECT_FALSE(reply.ok);
  EXPECT_FALSE(reply.why.empty());
  this->driver_->read_counters();
  EXPECT_TRUE(this->wait([&] { return !this->error_.empty(); }));
}

TYPED_TEST_P(PortContract, NothingIsCalledAfterTheDriverHasGone) {
  this->count(1);
  std::optional<Reply> reply;
  this->driver_->set_port(1, false, this->note(reply));
  this->driver_->read_counters();
  this->driver_->find_ports([this](const auto&) { ++this->calls_; });
  this->driver_.reset();
  this->calls_ = 0;
  this->tested_->loop.run_until([] { return false; }, 200ms);
  EXPECT_EQ(this->calls_, 0);
}

REGISTER_TYPED_TEST_SUITE_P(PortContract, FindsThePortsThatThereAre, APortSleepsAndWakesAlone,
                            SayingItTwiceIsNoMistake, OrdersToAPortAreCarriedOutInTheirOrder,
                            WhoComesLaterFindsWhatSleeps, ACutCableIsSeen,
                            AnUnknownPortIsRefusedInWords, CountersHaveWhatWasSentBeforeTheQuestion,
                            CountersNeverFallWhenAPortSleeps, RatesAreSetOrRefusedInWords,
                            PvidsAreSetOrRefusedInWords, ASilentSwitchIsAnsweredFor,
                            NothingIsCalledAfterTheDriverHasGone);

}  // namespace ebb::drivers::contract
