// SPDX-License-Identifier: Apache-2.0
//
// Sleeping and waking: falling asleep takes no time, waking 2 us here, and a sleeping channel
// carries neither packets nor credits.
#include "tiny_network.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;
using policy::active;
using policy::asleep;
using policy::changing;
using policy::RateLevel;
using policy::Reason;
using policy::SetRateLevel;
using policy::Sleep;
using policy::SleepWhenIdle;
using policy::Wake;
using policy::WakeWhenQueued;

constexpr RateLevel kSlow{0};
constexpr RateLevel kFull{1};
const topology::RateTable kTwoRates = {k10G, k40G};

// h0 - s0 - h1. Channel 0 leads from h0 to s0, channel 1 back, channel 2 from s0 to h1.
TinyWorld one_switch(const std::vector<traffic::Message>& messages,
                     DataSize buffer = bytes(65'536)) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = buffer;
  return {line(1, {kTwoRates}), sleepy(kTwoRates, 2us, 1us), hardware, messages};
}

// When channel `which` fell asleep, to the picosecond.
TimePoint falls_asleep(TinyWorld& world, std::uint32_t which, TimePoint until) {
  world.network.start_meters();
  world.network.run_until(until);
  const power::Ledger ledger = world.network.close_meters();
  EXPECT_EQ(world.state(which).mode, policy::Mode::asleep);
  return until - ledger.residency(power::MeterIndex{which}, power::StateIndex{0});
}

TEST(ASleepingChannel, CarriesNothingUntilItIsWoken) {
  TinyWorld world = one_switch({message({}, kPacket)});
  EXPECT_EQ(world.order(2, Sleep{}).applied, asleep(kFull));
  world.network.run_until(at(10us));
  EXPECT_EQ(world.use(2), ChannelUse{});
  EXPECT_EQ(world.order(2, Wake{}).applied, changing(active(kFull), at(12us)));
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.arrived()), Nanoseconds{12'450});
}

TEST(ASleepingChannel, OfAHostHoldsItsMessageBack) {
  TinyWorld world = one_switch({message(1us, kPacket)});
  (void)world.order(0, Sleep{});
  world.network.run_until(at(10us));
  EXPECT_EQ(world.network.counts().packets_sent, 0U);
  (void)world.order(0, Wake{});
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.sent()), Nanoseconds{12'000});
}

TEST(ASleepingChannel, TakesANewStepAndRunsAtItOnceAwake) {
  TinyWorld world = one_switch({message({}, kPacket)});
  (void)world.order(2, Sleep{});
  EXPECT_EQ(world.order(2, SetRateLevel{kSlow}).applied, asleep(kSlow));
  (void)world.order(2, Wake{});
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.arrived()), Nanoseconds{2000 + 1600 + 50});
}

TEST(Sleep, BeginsAfterThePacketOnTheWire) {
  TinyWorld world = one_switch({message({}, kPacket)});
  world.network.run_until(at(200ns));
  const policy::Outcome outcome = world.order(2, Sleep{});
  EXPECT_EQ(outcome.reason, Reason::done);
  EXPECT_EQ(outcome.applied, changing(asleep(kFull), at(550ns)));
  EXPECT_EQ(world.order(2, Wake{}).reason, Reason::changing);
  world.network.run_until(at(550ns));
  EXPECT_EQ(world.state(2), asleep(kFull));
  EXPECT_EQ(nanoseconds(world.seen.arrived()), Nanoseconds{600});
}

TEST(Sleep, OfASleepingChannelAndWakingOfOneThatIsAwakeChangeNothing) {
  TinyWorld world = one_switch({});
  EXPECT_EQ(world.order(2, Wake{}).applied, active(kFull));
  (void)world.order(2, Sleep{});
  const policy::Outcome again = world.order(2, Sleep{});
  EXPECT_EQ(again.reason, Reason::done);
  EXPECT_EQ(again.applied, asleep(kFull));
}

TEST(Sleep, IsRefusedDuringAChange) {
  TinyWorld world = one_switch({});
  (void)world.order(2, SetRateLevel{kSlow});
  EXPECT_EQ(world.order(2, Sleep{}).reason, Reason::changing);
  EXPECT_EQ(world.order(2, Wake{}).reason, Reason::changing);
}

TEST(Sleep, IsNotSupportedByARateTableWithoutIt) {
  TinyWorld world(line(1, {kTwoRates}), rates_only(kTwoRates, 1us), tiny_hardware(), {});
  for (const policy::Order& order : std::initializer_list<policy::Order>{
           Sleep{}, SleepWhenIdle{1us, bits(1)}, WakeWhenQueued{bits(1)}}) {
    const policy::Outcome outcome = world.order(2, order);
    EXPECT_EQ(outcome.reason, Reason::not_supported);
    EXPECT_EQ(outcome.applied, active(kFull));
  }
}

TEST(AnOrder, ForAChannelThatIsNotThereIsAnswered) {
  TinyWorld world = one_switch({});
  EXPECT_EQ(world.order(4, Sleep{}).reason, Reason::unknown_channel);
  EXPECT_EQ(world.order(3, Sleep{}).reason, Reason::done);
}

TEST(AnIdleChannel, FallsAsleepAfterItsIdleTime) {
  TinyWorld world = one_switch({});
  world.network.run_until(at(10us));
  EXPECT_EQ(world.order(3, SleepWhenIdle{15us, bits(1)}).reason, Reason::done);
  EXPECT_EQ(falls_asleep(world, 3, at(20us)), at(15us));
}

// The packet is on channel 2 from 150 to 550.
TEST(AnIdleChannel, CountsFromTheEndOfItsLastTransmission) {
  TinyWorld world = one_switch({message({}, kPacket)});
  (void)world.order(2, SleepWhenIdle{5us, bits(1)});
  EXPECT_EQ(falls_asleep(world, 2, at(20us)), at(5550ns));
}

TEST(AnIdleChannel, CountsFromItsLastTransmissionHoweverLateItIsArmed) {
  TinyWorld world = one_switch({message({}, kPacket)});
  world.network.run_until(at(3us));
  (void)world.order(2, SleepWhenIdle{5us, bits(1)});
  EXPECT_EQ(falls_asleep(world, 2, at(20us)), at(5550ns));
}

TEST(AnIdleChannel, FallsAsleepAtOnceWhenItHasBeenIdleLongEnough) {
  TinyWorld world = one_switch({message({}, kPacket)});
  world.network.run_until(at(10us));
  (void)world.order(2, SleepWhenIdle{5us, bits(1)});
  EXPECT_EQ(falls_asleep(world, 2, at(20us)), at(10us));
}

TEST(AnIdleChannel, CountsFromTheEndOfItsLastChange) {
  TinyWorld world = one_switch({});
  (void)world.order(2, SleepWhenIdle{5us, bits(1)});
  world.network.run_until(at(2us));
  (void)world.order(2, SetRateLevel{kSlow});
  EXPECT_EQ(falls_asleep(world, 2, at(20us)), at(8us));
}

TEST(AnIdleChannel, FollowsTheLatestOrder) {
  TinyWorld world = one_switch({});
  (void)world.order(2, SleepWhenIdle{50us, bits(1)});
  (void)world.order(3, SleepWhenIdle{3us, bits(1)});
  world.network.run_until(at(1us));
  (void)world.order(2, SleepWhenIdle{5us, bits(1)});
  (void)world.order(3, SleepWhenIdle{9us, bits(1)});
  EXPECT_EQ(falls_asleep(world, 2, at(20us)), at(5us));
  EXPECT_EQ(world.state(3).mode, policy::Mode::asleep);
}

TEST(AnIdleChannel, IsNotPutToSleepByAnOrderThatWasReplaced) {
  TinyWorld world = one_switch({});
  (void)world.order(2, SleepWhenIdle{3us, bits(1)});
  (void)world.order(2, SleepWhenIdle{9us, bits(1)});
  EXPECT_EQ(falls_asleep(world, 2, at(20us)), at(9us));
}

TEST(AnIdleChannel, StaysAwakeOnceDisarmed) {
  TinyWorld world = one_switch({});
  (void)world.order(2, SleepWhenIdle{5us, bits(1)});
  world.network.run_until(at(3us));
  EXPECT_EQ(world.order(2, policy::Disarm{}).reason, Reason::done);
  world.network.run_until(at(20us));
  EXPECT_EQ(world.state(2), active(kFull));
}

TEST(AnIdleChannel, CanBeArmedAgain) {
  TinyWorld world = one_switch({});
  (void)world.order(2, SleepWhenIdle{50us, bits(1)});
  (void)world.order(2, policy::Disarm{});
  (void)world.order(2, SleepWhenIdle{5us, bits(1)});
  EXPECT_EQ(falls_asleep(world, 2, at(20us)), at(5us));
}

// At s0 at 10150, 2 us to wake, 400 to send, 50 on the cable; then asleep again 5 us later.
TEST(AnIdleChannel, WakesWithTheFirstPacketAndFallsAsleepAgain) {
  TinyWorld world = one_switch({message(10us, kPacket)});
  (void)world.order(2, SleepWhenIdle{5us, bits(1)});
  world.network.run_until(at(11us));
  EXPECT_EQ(world.state(2), changing(active(kFull), at(12'150ns)));
  EXPECT_EQ(falls_asleep(world, 2, at(30us)), at(17'550ns));
  EXPECT_EQ(nanoseconds(world.seen.arrived()), Nanoseconds{12'600});
}

TEST(AnIdleChannel, OfAHostWakesWithItsMessage) {
  TinyWorld world = one_switch({message(10us, kPacket)});
  (void)world.order(0, SleepWhenIdle{5us, bits(1)});
  world.network.run_until(at(10us));
  EXPECT_EQ(world.state(0), asleep(kFull));
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.sent()), Nanoseconds{12'000});
}

TEST(AnIdleChannel, IsNotOneWhosePacketWaitsForCredits) {
  // The credit of channel 0 comes back over channel 1, which sleeps for 20 us.
  TinyWorld world = one_switch({message({}, 2 * kPacket)}, kPacket);
  (void)world.order(0, SleepWhenIdle{3us, bits(1)});
  (void)world.order(1, Sleep{});
  world.network.run_until(at(20us));
  EXPECT_EQ(world.state(0), active(kFull));
  (void)world.order(1, Wake{});
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.sent()), (Nanoseconds{0, 22'050}));
}

// Channel 1 carries nothing but the credit of the packet, which leaves s0 at 550.
TEST(AnIdleChannel, IsOneThatCarriesOnlyCredits) {
  TinyWorld world = one_switch({message({}, kPacket)});
  (void)world.order(1, SleepWhenIdle{5us, bits(1)});
  EXPECT_EQ(falls_asleep(world, 1, at(20us)), at(5us));
}

// The channel sends 150-1750 at 10 Gb/s and falls asleep then; the second packet came at 550.
TEST(AFallingChannel, IsWokenByWhatCameMeanwhile) {
  TinyWorld world(line(1, {{k40G}, {k10G}}), {sleepy({k40G}, 2us), sleepy({k10G}, 2us)},
                  tiny_hardware(), {message({}, 2 * kPacket)});
  (void)world.order(2, WakeWhenQueued{bits(1)});
  world.network.run_until(at(200ns));
  EXPECT_EQ(world.order(2, Sleep{}).applied, changing(asleep(kSlow), at(1750ns)));
  world.network.run_until(at(1800ns));
  EXPECT_EQ(world.state(2), changing(active(kSlow), at(3750ns)));
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.arrived()), (Nanoseconds{1800, 3750 + 1600 + 50}));
}

TEST(AFallingChannel, IsWokenAtOnceByWhatWaitsAlready) {
  TinyWorld world(line(1, {{k40G}, {k10G}}), {sleepy({k40G}, 2us), sleepy({k10G}, 2us)},
                  tiny_hardware(), {message({}, 2 * kPacket)});
  (void)world.order(2, Sleep{});
  world.network.run_until(at(1us));
  EXPECT_EQ(world.order(2, WakeWhenQueued{2 * kPacket}).applied, changing(active(kSlow), at(3us)));
}

}  // namespace
}  // namespace ebb::netsim
