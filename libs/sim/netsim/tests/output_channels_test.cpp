// SPDX-License-Identifier: Apache-2.0
// The power states of channels and their meters by themselves, events handled by the test.

#include "parts_under_test.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;
using policy::Reason;

constexpr policy::ChannelId kChannel{index(kBetween)};

// A change of 1 us while a packet is on the wire until 400 ns: it begins then. Credits of the
// reverse channel stay away for its time, heard of a cable later.
TEST(AChange, BeginsBehindThePacketOnTheWire) {
  PartsUnderTest under(tiny_hardware(), rates_only({k10G, k40G}, 1us));
  under.net.channels[kBetween].wire_end = at(400ns);
  EXPECT_EQ(under.outputs.apply({kChannel, policy::SetRateLevel{policy::RateLevel{0}}}).reason,
            Reason::done);
  EXPECT_EQ(under.net.channels[kBetween].free_at, at(1400ns));
  EXPECT_EQ(under.net.channels[kBetween].rate_level, 0);
  EXPECT_EQ(under.outputs.apply({kChannel, policy::SetRateLevel{policy::RateLevel{1}}}).reason,
            Reason::changing);
  EXPECT_EQ(under.run(at(2us)),
            (std::vector<Happened>{
                {at(450ns), EventKind::credit_return_blocked, index(kBetweenBack)},
                {at(1450ns), EventKind::credit_return_unblocked, index(kBetweenBack)}}));
}

TEST(Sleep, IsRefusedByAChannelThatCannot) {
  PartsUnderTest under;
  EXPECT_EQ(under.outputs.apply({kChannel, policy::Sleep{}}).reason, Reason::not_supported);
}

// Idle from the start: asleep after 1 us by its trigger, awake again 2 us after a packet has come.
TEST(ATrigger, SleepsAndWakesWithoutAPolicy) {
  PartsUnderTest under(tiny_hardware(), sleepy({k10G, k40G}, 2us));
  EXPECT_EQ(
      under.outputs.apply({kChannel, policy::SleepWhenIdle{.idle = 1us, .wake = bytes(1)}}).reason,
      Reason::done);
  const auto checks = under.run(at(1001ns));
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_EQ(checks[0], (Happened{at(1us), EventKind::check, index(kBetween)}));
  under.net.triggers[kBetween].next_check = kNever;
  under.outputs.check(kBetween);
  EXPECT_EQ(under.net.channels[kBetween].free_at, kNever);
  under.net.channels[kBetween].queued_bits = 8;
  under.outputs.on_queued(kBetween);
  EXPECT_EQ(under.net.channels[kBetween].free_at, at(3001ns));
}

// Armed and idle: it sleeps at once.
void let_sleep(PartsUnderTest& under, const policy::SleepWhenIdle& trigger) {
  (void)under.outputs.apply({kChannel, trigger});
  (void)under.run(at(1ns));
  under.net.triggers[kBetween].next_check = kNever;
  under.outputs.check(kBetween);
  ASSERT_EQ(under.net.channels[kBetween].free_at, kNever);
  (void)under.run(at(1us));
}

// Nothing waits for it, but 10 bytes have gone another way; 5 would not have been enough.
TEST(ATrigger, WakesForWhatTakesItsDetour) {
  PartsUnderTest under(tiny_hardware(), sleepy({k10G, k40G}, 2us));
  let_sleep(under, {.idle = 0ns, .wake = bytes(10), .max_coalescing_delay = 9us});
  under.outputs.on_bypassed(kBetween, 40);
  EXPECT_EQ(under.net.channels[kBetween].free_at, kNever);
  under.outputs.on_bypassed(kBetween, 40);
  EXPECT_EQ(under.net.channels[kBetween].free_at, at(3us));
}

// After the longest delay anything is enough.
TEST(ATrigger, WakesInTimeForWhatTakesItsDetour) {
  PartsUnderTest under(tiny_hardware(), sleepy({k10G, k40G}, 2us));
  let_sleep(under, {.idle = 0ns, .wake = bytes(10), .max_coalescing_delay = 9us});
  under.outputs.on_bypassed(kBetween, 40);
  const auto checks = under.run(at(20us));
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_EQ(checks[0], (Happened{at(10us), EventKind::check, index(kBetween)}));
  under.net.triggers[kBetween].next_check = kNever;
  under.outputs.check(kBetween);
  EXPECT_EQ(under.net.channels[kBetween].free_at, at(22us));
}

// Asleep, it carries no credits; a quarter of a buffer of them wakes it.
TEST(ATrigger, WakesForCreditsThatTheFarEndNeeds) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = 8 * kPacket;
  PartsUnderTest under(hardware, sleepy({k10G, k40G}, 2us));
  let_sleep(under, {.idle = 0ns, .wake = bytes(1)});
  const auto bits = static_cast<std::uint32_t>(kPacket.count());
  under.outputs.on_credit(kBetween, bits, at(1us));
  EXPECT_EQ(under.net.channels[kBetween].free_at, kNever);
  under.outputs.on_credit(kBetween, bits, at(1us));
  EXPECT_EQ(under.net.channels[kBetween].free_at, at(3us));
}

// A packet waits from 1 us on for a channel that changes until 3 us and is sent at 4 us: two of
// that are the channel's fault.
TEST(AWakeStall, LastsUntilTheEndOfTheChange) {
  PartsUnderTest under;
  under.net.controls[kBetween].change_end = at(3us);
  under.outputs.begin_wake_stall(kBetween, at(1us));
  (void)under.run(at(4us));
  under.outputs.end_wake_stall(kBetween);
  EXPECT_EQ(under.net.controls[kBetween].wake_stall, 2us);
}

// 40 W for 1 us, 40 W while it changes for 1 us, 10 W for 2 us: 100 uJ. The other five channels of
// the line draw 40 W for 4 us.
TEST(TheMeters, CountAChangeAtTheHigherPower) {
  PartsUnderTest under(tiny_hardware(), rates_only({k10G, k40G}, 1us));
  under.meters.start();
  (void)under.run(at(1us));
  (void)under.outputs.apply({kChannel, policy::SetRateLevel{policy::RateLevel{0}}});
  (void)under.run(at(4us));
  EXPECT_EQ(under.meters.channel_energy(kBetween), watts(10) * 10us);
  EXPECT_EQ(under.meters.channel_energy(), watts(10) * 10us + 5 * (watts(40) * 4us));
  const power::Ledger ledger = under.meters.close();
  EXPECT_EQ(to_string(ledger.check()), "");
}

}  // namespace
}  // namespace ebb::netsim
