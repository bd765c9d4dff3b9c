// SPDX-License-Identifier: Apache-2.0
//
// Channels that are drained before they change, and the time in which something waited for a
// channel that did not carry. A packet takes 400 ns at 40 Gb/s and 1.6 us at 10 Gb/s; a change of
// rate takes 2 us, waking 1 us.
#include "tiny_network.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;
using policy::active;
using policy::asleep;
using policy::changing;
using policy::Mode;
using policy::RateLevel;
using policy::SetRateLevel;
using policy::Sleep;
using policy::SleepWhenIdle;
using policy::Wake;

constexpr RateLevel kSlow{0};
constexpr RateLevel kFull{1};
const topology::RateTable kTwoRates = {k2500M, k10G};

// Three packets come to s0 at 150, 550 and 950 and leave by channel 2 at 150, 1750 and 3350.
TinyWorld three_packets(std::optional<Duration> drain_from) {
  Hardware hardware = tiny_hardware();
  hardware.drain_from = drain_from;
  return {line(1, {{k40G}, kTwoRates}),
          {sleepy({k40G}, 1us), sleepy(kTwoRates, 1us, 2us)},
          hardware,
          {message({}, 3 * kPacket)}};
}

Duration wake_stall(TinyWorld& world, std::uint32_t which) {
  return world.network.sample().channels[which].wake_stall;
}

TEST(AChangeOfRate, WaitsUntilTheChannelIsDrained) {
  TinyWorld world = three_packets(2us);
  world.network.run_until(at(1000ns));
  EXPECT_EQ(world.order(2, SetRateLevel{kSlow}).applied, active(kFull));
  world.network.run_until(at(3'300ns));
  EXPECT_EQ(world.state(2), active(kFull));
  world.network.run_until(at(3'400ns));
  EXPECT_EQ(world.state(2), changing(active(kSlow), at(6'950ns)));
  world.network.run_until_idle();
  EXPECT_EQ(wake_stall(world, 2), 0ns);
}

TEST(AChangeOfRate, DoesNotWaitWhenItIsShortOrNothingSaysSo) {
  for (const std::optional<Duration> from : {std::optional<Duration>(2'001ns), {}}) {
    TinyWorld world = three_packets(from);
    world.network.run_until(at(1000ns));
    (void)world.order(2, SetRateLevel{kSlow});
    EXPECT_EQ(world.state(2), changing(active(kSlow), at(3'750ns)));
    world.network.run_until_idle();
    EXPECT_EQ(wake_stall(world, 2), 2us);
  }
}

TEST(Sleep, WaitsUntilTheChannelIsDrainedAndAWakeCallsItOff) {
  TinyWorld world = three_packets({});
  world.network.run_until(at(1us));
  EXPECT_EQ(world.order(2, Sleep{}).applied, active(kFull));
  world.network.run_until(at(3us));
  EXPECT_EQ(world.state(2), active(kFull));
  (void)world.order(2, Wake{});
  world.network.run_until_idle();
  EXPECT_EQ(world.state(2), active(kFull));
  EXPECT_EQ(world.seen.packets.size(), 3U);
}

TEST(Sleep, OfADrainedChannelOfAHostHoldsLaterMessagesBackUntilItIsWoken) {
  TinyWorld world(line(1, {{k40G}}), sleepy({k40G}, 1us), tiny_hardware(),
                  {message({}, 2 * kPacket), message(10us, kPacket)});
  world.network.run_until(at(100ns));
  (void)world.order(0, Sleep{});
  world.network.run_until(at(5us));
  EXPECT_EQ(world.state(0), asleep(RateLevel{0}));
  (void)world.order(0, Wake{});
  world.network.run_until_idle();
  EXPECT_EQ(world.seen.messages.size(), 2U);
}

// Asleep from 5 us on; the packet is at s0 at 10150.
TEST(Held, IsTheTimeSomethingWaitsForASleepingChannel) {
  TinyWorld world(line(1, {{k40G}}), sleepy({k40G}, 1us), tiny_hardware(),
                  {message(10us, kPacket)});
  (void)world.order(2, SleepWhenIdle{5us, bits(1)});
  world.network.run_until_idle();
  EXPECT_EQ(wake_stall(world, 2), 1us);
  EXPECT_EQ(wake_stall(world, 2), 0us);  // once
}

// One packet is less than it takes to wake the channel at once.
TEST(MaxCoalescingDelay, WakesAChannelForLessThanItsThreshold) {
  TinyWorld world(line(1, {{k40G}}), sleepy({k40G}, 1us), tiny_hardware(),
                  {message(10us, kPacket), message(30us, 4 * kPacket)});
  (void)world.order(2, SleepWhenIdle{5us, 2 * kPacket, 3us});
  world.network.run_until(at(13'100ns));
  EXPECT_EQ(world.state(2), asleep(RateLevel{0}));
  world.network.run_until(at(13'200ns));
  EXPECT_EQ(world.state(2), changing(active(RateLevel{0}), at(14'150ns)));
  // With the second of four packets there is enough.
  world.network.run_until(at(30'600ns));
  EXPECT_EQ(world.state(2), changing(active(RateLevel{0}), at(31'550ns)));
  world.network.run_until_idle();
  EXPECT_EQ(wake_stall(world, 2), 4us + 1'400ns);
}

// The packet has been at s0 since 10150, where nothing wakes channel 2 for it.
TEST(MaxCoalescingDelay, CountsForWhatWaitsAlready) {
  TinyWorld world(line(1, {{k40G}}), sleepy({k40G}, 1us), tiny_hardware(),
                  {message(10us, kPacket)});
  (void)world.order(2, Sleep{});
  world.network.run_until(at(11us));
  (void)world.order(2, SleepWhenIdle{5us, 2 * kPacket, 3us});
  world.network.run_until_idle();
  EXPECT_EQ(world.seen.messages.size(), 1U);
  EXPECT_EQ(wake_stall(world, 2), 4us);
}

}  // namespace
}  // namespace ebb::netsim
