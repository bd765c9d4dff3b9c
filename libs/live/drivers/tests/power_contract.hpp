// SPDX-License-Identifier: Apache-2.0
//
// What every driver of power keeps (power_driver.hpp), run on whatever implements it. For another
// driver: a TestedPower, then
//
//   INSTANTIATE_TYPED_TEST_SUITE_P(MyOutlets, PowerContract, MyTested);
#pragma once

#include "ebb/drivers/power_driver.hpp"
#include "ebb/transport/loop.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

namespace ebb::drivers::contract {

inline constexpr std::uint32_t kNoSwitch = 99;

// Two switches, 0 and 1, that are on. Made without arguments, and has `static std::string
// missing()`: why there are none on this machine, empty when there are.
class TestedPower {
 public:
  TestedPower() = default;
  TestedPower(const TestedPower&) = delete;
  TestedPower& operator=(const TestedPower&) = delete;
  virtual ~TestedPower() = default;

  virtual std::unique_ptr<PowerDriver> connect() = 0;
  // Whether the switch has power, as it is.
  virtual bool is_on(std::uint32_t device) = 0;
  // What switches the power answers nothing any more; false: it cannot be silenced.
  virtual bool fall_silent() = 0;

  transport::Loop loop;
};

template <class SomeTested>
class PowerContract : public ::testing::Test {
 protected:
  static constexpr transport::Milliseconds kLimit = std::chrono::seconds(30);

  void SetUp() override {
    if (const std::string missing = SomeTested::missing(); !missing.empty())
      GTEST_SKIP() << missing;
    tested_ = std::make_unique<SomeTested>();
    driver_ = tested_->connect();
  }

  // Why not; empty: done.
  std::string set(std::uint32_t device, bool on) {
    std::optional<std::string> answer;
    driver_->set_power(device, on, [&](bool ok, const std::string& why) {
      answer = ok ? "" : "not done: " + why;
    });
    EXPECT_TRUE(tested_->loop.run_until([&] { return answer.has_value(); }, kLimit));
    return answer.value_or("no answer");
  }
  std::optional<bool> read(std::uint32_t device) {
    bool answered = false;
    std::optional<bool> is_on;
    why_.clear();
    driver_->read_power(device, [&](std::optional<bool> on, const std::string& why) {
      answered = true;
      is_on = on;
      why_ = why;
    });
    EXPECT_TRUE(tested_->loop.run_until([&] { return answered; }, kLimit));
    return is_on;
  }

  std::unique_ptr<SomeTested> tested_;
  std::unique_ptr<PowerDriver> driver_;
  std::string why_;
};

TYPED_TEST_SUITE_P(PowerContract);

TYPED_TEST_P(PowerContract, ASwitchLosesItsPowerAloneAndGetsItBack) {
  EXPECT_EQ(this->read(0), true);
  EXPECT_EQ(this->set(0, false), "");
  EXPECT_FALSE(this->tested_->is_on(0));
  EXPECT_TRUE(this->tested_->is_on(1));
  EXPECT_EQ(this->read(0), false);
  EXPECT_EQ(this->read(1), true);
  EXPECT_EQ(this->set(0, true), "");
  EXPECT_TRUE(this->tested_->is_on(0));
  EXPECT_EQ(this->read(0), true);
}

TYPED_TEST_P(PowerContract, WhatIsSoAlreadyIsNoMistake) {
  EXPECT_EQ(this->set(1, true), "");
  EXPECT_EQ(this->set(1, false), "");
  EXPECT_EQ(this->set(1, false), "");
  EXPECT_FALSE(this->tested_->is_on(1));
  EXPECT_EQ(this->set(1, true), "");
  EXPECT_TRUE(this->tested_->is_on(1));
}

TYPED_TEST_P(PowerContract, AnotherDriverFindsWhatTheFirstHasSet) {
  EXPECT_EQ(this->set(0, false), "");
  this->driver_ = this->tested_->connect();
  EXPECT_EQ(this->read(0), false);
  EXPECT_EQ(this->set(0, true), "");
}

TYPED_TEST_P(PowerContract, ASwitchWithoutAnOutletIsRefusedInWords) {
  EXPECT_EQ(this->set(kNoSwitch, false), std::string("not done: ") + kNoOutlet);
  EXPECT_EQ(this->read(kNoSwitch), std::nullopt);
  EXPECT_EQ(this->why_, kNoOutlet);
}

TYPED_TEST_P(PowerContract, ASilentOutletIsAnsweredFor) {
  if (!this->tested_->fall_silent()) GTEST_SKIP() << "cannot be silenced";
  EXPECT_NE(this->set(0, false), "");
  EXPECT_EQ(this->read(0), std::nullopt);
  EXPECT_FALSE(this->why_.empty());
}

TYPED_TEST_P(PowerContract, NothingIsCalledWhenTheDriverHasGone) {
  int calls = 0;
  this->driver_->set_power(0, true, [&](bool, const std::string&) { ++calls; });
  this->driver_->read_power(1, [&](std::optional<bool>, const std::string&) { ++calls; });
  this->driver_.reset();
  const auto end = transport::Clock::now() + std::chrono::milliseconds(200);
  this->tested_->loop.run_until([&] { return transport::Clock::now() > end; },
                                std::chrono::milliseconds(300));
  EXPECT_EQ(calls, 0);
}

REGISTER_TYPED_TEST_SUITE_P(PowerContract, ASwitchLosesItsPowerAloneAndGetsItBack,
                            WhatIsSoAlreadyIsNoMistake, AnotherDriverFindsWhatTheFirstHasSet,
                            ASwitchWithoutAnOutletIsRefusedInWords, ASilentOutletIsAnsweredFor,
                            NothingIsCalledWhenTheDriverHasGone);

}  // namespace ebb::drivers::contract
