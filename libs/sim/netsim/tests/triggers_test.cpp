// SPDX-License-Identifier: Apache-2.0
//
// Triggers by the amount of data that waits. Packets of h0 sent one after the other reach the queue
// of channel 2 at 150, 550, 950 and so on after the first left.
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
using policy::SlowDownWhenIdle;
using policy::SpeedUpWhenQueued;
using policy::WakeWhenQueued;

constexpr RateLevel kSlow{0};
constexpr RateLevel kFull{1};
const topology::RateTable kTwoRates = {k10G, k40G};

// h0 - s0 - h1; waking takes 2 us, a change of rate 1 us.
TinyWorld one_switch(const std::vector<traffic::Message>& messages) {
  return {line(1, {kTwoRates}), sleepy(kTwoRates, 2us, 1us), tiny_hardware(), messages};
}

TEST(WakeWhenQueued, WakesWhenTheLastBitOfItsThresholdWaits) {
  TinyWorld world = one_switch({message({}, 3 * kPacket)});
  (void)world.order(2, WakeWhenQueued{2 * kPacket});
  (void)world.order(2, Sleep{});
  world.network.run_until(at(550ns));
  EXPECT_EQ(world.state(2), asleep(kFull));
  world.network.run_until(at(551ns));
  EXPECT_EQ(world.state(2), changing(active(kFull), at(2550ns)));
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.arrived()), (Nanoseconds{3000, 3400, 3800}));
}

TEST(WakeWhenQueued, LetsLessThanItsThresholdWait) {
  TinyWorld world = one_switch({message({}, 3 * kPacket)});
  (void)world.order(2, WakeWhenQueued{3 * kPacket + bits(1)});
  (void)world.order(2, Sleep{});
  world.network.run_until(at(50us));
  EXPECT_EQ(world.state(2), asleep(kFull));
  EXPECT_EQ(world.order(2, WakeWhenQueued{3 * kPacket}).applied, changing(active(kFull), at(52us)));
}

TEST(WakeWhenQueued, DoesNotPutAChannelToSleep) {
  TinyWorld world = one_switch({});
  (void)world.order(2, WakeWhenQueued{bits(1)});
  world.network.run_until(at(50us));
  EXPECT_EQ(world.state(2), active(kFull));
}

TEST(WakeWhenQueued, AndSleepWhenIdleBothWakeTheChannel) {
  TinyWorld world = one_switch({message(10us, 3 * kPacket)});
  (void)world.order(2, SleepWhenIdle{5us, 3 * kPacket, 1ms});
  (void)world.order(2, WakeWhenQueued{2 * kPacket});
  world.network.run_until(at(10'900ns));
  EXPECT_EQ(world.state(2), changing(active(kFull), at(12'550ns)));
}

TEST(WakeWhenQueued, IsForgottenWhenDisarmed) {
  TinyWorld world = one_switch({message(10us, kPacket)});
  (void)world.order(2, WakeWhenQueued{bits(1)});
  (void)world.order(2, Sleep{});
  (void)world.order(2, policy::Disarm{});
  (void)world.order(2, SpeedUpWhenQueued{bits(1), kFull});  // brings no other trigger back
  world.network.run_until(at(50us));
  EXPECT_EQ(world.state(2), asleep(kFull));
}

// One message is taken in hand, the others stay in their source; all that is created counts.
TEST(WakeWhenQueued, CountsEveryMessageThatWaitsInAHost) {
  TinyWorld world =
      one_switch({message(1us, kPacket), message(3us, kPacket), message(7us, bytes(1000)),
                  message(11us, bytes(1000)), message(30us, kPacket)});
  (void)world.order(0, WakeWhenQueued{3 * kPacket});
  (void)world.order(0, Sleep{});
  world.network.run_until(at(10us));
  EXPECT_EQ(world.network.sample().channels[0].queued, kPacket + kPacket + bytes(1000));
  world.network.run_until(at(11us));
  EXPECT_EQ(world.state(0), asleep(kFull));
  world.network.run_until(at(11'001ns));
  EXPECT_EQ(world.state(0), changing(active(kFull), at(13us)));
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.sent()), (Nanoseconds{13'000, 13'400, 13'800, 14'000, 30'000}));
}

// At 10 Gb/s from 1 us on. The first packet is on the wire from 10150 to 11750; two wait at 10950.
TEST(SpeedUpWhenQueued, ChangesTheRateAfterThePacketOnTheWire) {
  TinyWorld world = one_switch({message(10us, 4 * kPacket)});
  (void)world.order(2, SetRateLevel{kSlow});
  (void)world.order(2, SpeedUpWhenQueued{2 * kPacket, kFull});
  world.network.run_until(at(10'950ns));
  EXPECT_EQ(world.state(2), active(kSlow));
  world.network.run_until(at(10'951ns));
  EXPECT_EQ(world.state(2), changing(active(kFull), at(12'750ns)));
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.arrived()), (Nanoseconds{11'800, 13'200, 13'600, 14'000}));
}

TEST(SpeedUpWhenQueued, JumpsAtOnceWhenEnoughWaits) {
  TinyWorld world = one_switch({message(10us, 4 * kPacket)});
  (void)world.order(2, SetRateLevel{kSlow});
  world.network.run_until(at(11us));
  EXPECT_EQ(world.order(2, SpeedUpWhenQueued{2 * kPacket, kFull}).applied,
            changing(active(kFull), at(12'750ns)));
}

TEST(SpeedUpWhenQueued, NeverSlowsAChannelDown) {
  TinyWorld world = one_switch({message({}, 10 * kPacket)});
  (void)world.order(0, SetRateLevel{kSlow});
  (void)world.order(2, SpeedUpWhenQueued{bits(1), kSlow});
  world.network.run_until_idle();
  EXPECT_EQ(world.state(2), active(kFull));
}

TEST(SpeedUpWhenQueued, ToAStepNotInTheRateTableIsNotSupported) {
  TinyWorld world = one_switch({});
  EXPECT_EQ(world.order(2, SpeedUpWhenQueued{bits(1), RateLevel{2}}).reason, Reason::not_supported);
}

// Three packets come while the channel changes to 10 Gb/s until 11 us. Then it jumps, for 1 us.
TEST(SpeedUpWhenQueued, FollowsAChangeDuringWhichEnoughCame) {
  TinyWorld world = one_switch({message(10us, 3 * kPacket)});
  (void)world.order(2, SpeedUpWhenQueued{2 * kPacket, kFull});
  world.network.run_until(at(10us));
  (void)world.order(2, SetRateLevel{kSlow});
  world.network.run_until(at(11'500ns));
  EXPECT_EQ(world.state(2), changing(active(kFull), at(12us)));
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.arrived()), (Nanoseconds{12'450, 12'850, 13'250}));
}

// Wakes from 10150 to 12150 at the slow step, with three packets in the queue.
TEST(SpeedUpWhenQueued, FollowsAWakingDuringWhichEnoughCame) {
  TinyWorld world = one_switch({message(10us, 3 * kPacket)});
  (void)world.order(2, Sleep{});
  (void)world.order(2, SetRateLevel{kSlow});
  (void)world.order(2, WakeWhenQueued{bits(1)});
  (void)world.order(2, SpeedUpWhenQueued{2 * kPacket, kFull});
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.arrived()), (Nanoseconds{13'600, 14'000, 14'400}));
}

// The host sends at 10 Gb/s from 10 us; at 10.2 one message waits, at 10.4 two. The packet on the
// wire ends at 11.6, the change at 12.6.
TEST(SpeedUpWhenQueued, CountsEveryMessageThatWaitsInAHost) {
  TinyWorld world = one_switch({message(10us, kPacket), message(10'200ns, kPacket),
                                message(10'400ns, kPacket), message(10'600ns, kPacket)});
  (void)world.order(0, SetRateLevel{kSlow});
  (void)world.order(0, SpeedUpWhenQueued{2 * kPacket, kFull});
  world.network.run_until(at(10'401ns));
  EXPECT_EQ(world.state(0), changing(active(kFull), at(12'600ns)));
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.sent()), (Nanoseconds{10'000, 12'600, 13'000, 13'400}));
}

// On the wire until 1550: 5 us later it slows down, for 1 us.
TEST(SlowDownWhenIdle, SlowsDownAnIdleChannel) {
  TinyWorld world = one_switch({message(1us, kPacket)});
  (void)world.order(2, SlowDownWhenIdle{5us, kSlow});
  world.network.run_until(at(6550ns));
  EXPECT_EQ(world.state(2), active(kFull));
  world.network.run_until(at(6551ns));
  EXPECT_EQ(world.state(2), changing(active(kSlow), at(7550ns)));
}

// Slow from 6 us on. The packet that comes at 10150 waits for the change, until 11150: at 10 Gb/s
// it would be there later.
TEST(SlowDownWhenIdle, AndSpeedUpWhenQueuedFollowTheTraffic) {
  TinyWorld world = one_switch({message(10us, 2 * kPacket), message(40us, 2 * kPacket)});
  (void)world.order(2, SpeedUpWhenQueued{kPacket, kFull});
  (void)world.order(2, SlowDownWhenIdle{5us, kSlow});
  world.network.run_until(at(10us));
  EXPECT_EQ(world.state(2), active(kSlow));
  world.network.run_until(at(12us));
  EXPECT_EQ(world.state(2), active(kFull));
  world.network.run_until(at(39us));
  EXPECT_EQ(world.state(2), active(kSlow));
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.arrived()), (Nanoseconds{11'600, 12'000, 41'600, 42'000}));
}

TEST(SlowDownWhenIdle, TakesThePlaceOfSleepWhenIdle) {
  TinyWorld world = one_switch({});
  (void)world.order(2, SleepWhenIdle{5us, bits(1)});
  (void)world.order(2, SlowDownWhenIdle{5us, kSlow});
  world.network.run_until(at(20us));
  EXPECT_EQ(world.state(2), active(kSlow));
  (void)world.order(2, SleepWhenIdle{5us, bits(1)});
  world.network.run_until(at(40us));
  EXPECT_EQ(world.state(2), asleep(kSlow));
}

TEST(SlowDownWhenIdle, ToAStepNotInTheRateTableIsNotSupported) {
  TinyWorld world = one_switch({});
  EXPECT_EQ(world.order(2, SlowDownWhenIdle{5us, RateLevel{2}}).reason, Reason::not_supported);
}

}  // namespace
}  // namespace ebb::netsim
