// SPDX-License-Identifier: Apache-2.0
//
// What every driver that moves traffic off a port keeps (steering_driver.hpp), run on whatever
// implements it. For another driver: a TestedSteering, then
//
//   INSTANTIATE_TYPED_TEST_SUITE_P(MyProtocol, SteeringContract, MyTested);
#pragma once

#include "ebb/drivers/steering_driver.hpp"
#include "ebb/transport/loop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ebb::drivers::contract {

using namespace std::chrono_literals;

// A switch with traffic that leaves by one of its ports and has another next hop. Made without
// arguments, and has `static std::string missing()`: why there is none on this machine, empty when
// there is.
class TestedSteering {
 public:
  struct Traffic {
    std::uint64_t sent = 0;
    std::uint64_t lost = 0;
    transport::Milliseconds late{};  // the worst pause of the sender beyond its period
  };

  TestedSteering() = default;
  TestedSteering(const TestedSteering&) = delete;
  TestedSteering& operator=(const TestedSteering&) = delete;
  virtual ~TestedSteering() = default;

  // A driver that leads: of several that were made the last one does.
  virtual std::unique_ptr<SteeringDriver> connect() = 0;
  [[nodiscard]] virtual forwarding::PortNumber port() const = 0;  // of the traffic
  [[nodiscard]] virtual forwarding::PortNumber no_port() const = 0;
  // Frames of the traffic that have left by the port: counted by the kernel or the switch, not by
  // the driver.
  virtual std::uint64_t sent_by_port() = 0;
  // Traffic through the switch both ways, 1,000 frames a second each, while the loop runs.
  virtual void start_traffic() = 0;
  virtual Traffic stop_traffic() = 0;
  // The switch answers nothing any more; it goes on when the tested goes.
  virtual void fall_silent() = 0;

  transport::Loop loop;
};

struct Steered {
  bool ok = false;
  std::string why;
};

struct Seen {
  std::optional<bool> in_use;
  std::string why;
};

template <class SomeTested>
class SteeringContract : public ::testing::Test {
 protected:
  static constexpr transport::Milliseconds kLimit = 30s;
  static constexpr transport::Milliseconds kWhile = 300ms;

  void SetUp() override {
    if (const std::string missing = SomeTested::missing(); !missing.empty())
      GTEST_SKIP() << missing;
    tested_ = std::make_unique<SomeTested>();
    driver_ = tested_->connect();
  }

  Steered divert(forwarding::PortNumber port, bool away) {
    std::optional<Steered> reply;
    driver_->divert(port, away, [&](bool ok, const std::string& why) {
      EXPECT_FALSE(reply) << "answered twice";
      reply = Steered{ok, why};
    });
    EXPECT_TRUE(tested_->loop.run_until([&] { return reply.has_value(); }, kLimit));
    return reply.value_or(Steered{});
  }
  Steered divert(bool away) { return divert(tested_->port(), away); }

  Seen look(forwarding::PortNumber port) {
    std::optional<Seen> seen;
    driver_->look(port, [&](std::optional<bool> in_use, const std::string& why) {
      EXPECT_FALSE(seen) << "answered twice";
      seen = Seen{in_use, why};
    });
    EXPECT_TRUE(tested_->loop.run_until([&] { return seen.has_value(); }, kLimit));
    return seen.value_or(Seen{});
  }
  std::optional<bool> in_use() { return look(tested_->port()).in_use; }

  void let_pass(transport::Milliseconds time) {
    const auto end = transport::Clock::now() + time;
    while (transport::Clock::now() < end) tested_->loop.run_until([] { return false; }, 10ms);
  }
  // Frames that leave by the port in a while of traffic.
  std::uint64_t sent_meanwhile() {
    const std::uint64_t before = tested_->sent_by_port();
    let_pass(kWhile);
    return tested_->sent_by_port() - before;
  }

  std::unique_ptr<SomeTested> tested_;
  std::unique_ptr<SteeringDriver> driver_;  // goes before its tested
};

TYPED_TEST_SUITE_P(SteeringContract);

TYPED_TEST_P(SteeringContract, ADivertedPortIsNotUsedAnyMore) {
  EXPECT_FALSE(this->driver_->means().empty());
  this->tested_->start_traffic();
  EXPECT_EQ(this->in_use(), true);
  EXPECT_GT(this->sent_meanwhile(), 100U);
  const Steered away = this->divert(true);
  ASSERT_TRUE(away.ok) << away.why;
  EXPECT_EQ(this->in_use(), false);
  this->let_pass(this->kWhile);
  EXPECT_EQ(this->sent_meanwhile(), 0U);
  const Steered back = this->divert(false);
  ASSERT_TRUE(back.ok) << back.why;
  EXPECT_EQ(this->in_use(), true);
  this->let_pass(this->kWhile);
  EXPECT_GT(this->sent_meanwhile(), 100U);
  this->tested_->stop_traffic();
}

// While the machine stalls, switches have no processor to carry frames: then it is tried again.
TYPED_TEST_P(SteeringContract, NothingIsLostOnTheWayThereAndBack) {
  constexpr int kTries = 3;
  constexpr transport::Milliseconds kStall = 20ms;
  TestedSteering::Traffic traffic;
  bool stalled = true;
  for (int i = 0; i < kTries && stalled; ++i) {
    this->tested_->start_traffic();
    for (const bool away : {true, false, true, false}) {
      this->let_pass(this->kWhile);
      ASSERT_TRUE(this->divert(away).ok);
    }
    this->let_pass(this->kWhile);
    traffic = this->tested_->stop_traffic();
    stalled = traffic.lost > 0 && traffic.late >= kStall;
  }
  if (stalled) GTEST_SKIP() << "the sender was late by " << traffic.late.count() << " ms";
  EXPECT_GT(traffic.sent, 1000U);
  EXPECT_EQ(traffic.lost, 0U) << "of " << traffic.sent << ", late by " << traffic.late.count()
                              << " ms";
}

TYPED_TEST_P(SteeringContract, WhatIsSoAlreadyIsNoMistake) {
  for (const bool away : {false, true, true, false, false}) {
    const Steered reply = this->divert(away);
    EXPECT_TRUE(reply.ok) << reply.why;
    EXPECT_EQ(this->in_use(), !away);
  }
}

TYPED_TEST_P(SteeringContract, OrdersToAPortAreCarriedOutInTheirOrder) {
  constexpr int kOrders = 21;  // the last one says away
  std::vector<int> answered;
  for (int i = 0; i < kOrders; ++i) {
    this->driver_->divert(this->tested_->port(), i % 2 == 0, [&, i](bool ok, const auto& why) {
      EXPECT_TRUE(ok) << why;
      answered.push_back(i);
    });
  }
  ASSERT_TRUE(
      this->tested_->loop.run_until([&] { return answered.size() == kOrders; }, this->kLimit));
  EXPECT_TRUE(std::is_sorted(answered.begin(), answered.end()));
  EXPECT_EQ(this->in_use(), false);
}

TYPED_TEST_P(SteeringContract, AnotherDriverSeesWhatTheFirstHasDiverted) {
  ASSERT_TRUE(this->divert(true).ok);
  this->driver_ = this->tested_->connect();
  EXPECT_EQ(this->in_use(), false);
  ASSERT_TRUE(this->divert(false).ok);
  EXPECT_EQ(this->in_use(), true);
}

TYPED_TEST_P(SteeringContract, AnUnknownPortIsRefusedInWords) {
  const Steered reply = this->divert(this->tested_->no_port(), true);
  EXPECT_FALSE(reply.ok);
  EXPECT_FALSE(reply.why.empty());
  const Seen seen = this->look(this->tested_->no_port());
  EXPECT_EQ(seen.in_use, std::nullopt);
  EXPECT_FALSE(seen.why.empty());
  EXPECT_EQ(this->in_use(), true);
}

TYPED_TEST_P(SteeringContract, WhoDoesNotLeadAnyMoreChangesNothing) {
  const std::unique_ptr<SteeringDriver> leader = this->tested_->connect();
  const Steered reply = this->divert(true);
  EXPECT_FALSE(reply.ok);
  EXPECT_FALSE(reply.why.empty());
  EXPECT_EQ(this->in_use(), true) << "it may look all the same";
}

TYPED_TEST_P(SteeringContract, ASilentSwitchIsAnsweredFor) {
  this->tested_->fall_silent();
  const Steered reply = this->divert(true);
  EXPECT_FALSE(reply.ok);
  EXPECT_FALSE(reply.why.empty());
  const Seen seen = this->look(this->tested_->port());
  EXPECT_EQ(seen.in_use, std::nullopt);
  EXPECT_FALSE(seen.why.empty());
}

TYPED_TEST_P(SteeringContract, NothingIsCalledAfterTheDriverHasGone) {
  int calls = 0;
  const forwarding::PortNumber port = this->tested_->port();
  this->driver_->divert(port, true, [&](bool, const std::string&) { ++calls; });
  this->driver_->look(port, [&](std::optional<bool>, const std::string&) { ++calls; });
  this->driver_.reset();
  this->let_pass(this->kWhile);
  EXPECT_EQ(calls, 0);
}

REGISTER_TYPED_TEST_SUITE_P(SteeringContract, ADivertedPortIsNotUsedAnyMore,
                            NothingIsLostOnTheWayThereAndBack, WhatIsSoAlreadyIsNoMistake,
                            OrdersToAPortAreCarriedOutInTheirOrder,
                            AnotherDriverSeesWhatTheFirstHasDiverted, AnUnknownPortIsRefusedInWords,
                            WhoDoesNotLeadAnyMoreChangesNothing, ASilentSwitchIsAnsweredFor,
                            NothingIsCalledAfterTheDriverHasGone);

}  // namespace ebb::drivers::contract
