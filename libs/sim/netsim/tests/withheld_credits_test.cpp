// SPDX-License-Identifier: Apache-2.0
//
// One-way traffic, whose credits come back over a channel that sleeps: that channel must wake
// before its far end runs dry. Waking takes 2 us.
#include "tiny_network.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;
using policy::active;
using policy::asleep;
using policy::changing;
using policy::Sleep;
using policy::SleepWhenIdle;
using policy::WakeWhenQueued;

constexpr policy::RateStep kFull{0};

// h0 - s0 - h1. Channel 0 leads from h0 to s0, channel 1 back, channel 2 from s0 to h1.
TinyWorld one_switch(const std::vector<traffic::Message>& messages, DataSize buffer) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = buffer;
  return {line(1, {{k40G}}), sleepy({k40G}, 2us), hardware, messages};
}

// All channels sleep when the message is born at 10 us. Channel 0 wakes by 12000 and sends two
// packets, all that two credits allow. Channel 2 wakes from 12150 to 14150 and sends them. With the
// first, half a buffer of credits is on its way to channel 1, which wakes from 14150 to 16150: the
// host has both at 16200, and from then on channel 1 is awake for every credit.
TEST(OneWayTraffic, WakesTheChannelThatReturnsItsCredits) {
  TinyWorld world = one_switch({message(10us, 6 * kPacket)}, 2 * kPacket);
  for (std::uint32_t c = 0; c < 4; ++c) (void)world.order(c, SleepWhenIdle{5us, bits(1)});
  world.network.run_until(at(10us));
  EXPECT_EQ(world.state(1), asleep(kFull));
  world.network.run_dry();
  EXPECT_EQ(nanoseconds(world.seen.sent()),
            (Nanoseconds{12'000, 12'400, 16'200, 16'600, 17'000, 17'400}));
  EXPECT_EQ(to_string(world.network.leftovers()), "");
}

// A quarter of a buffer is four packets of sixteen: the fourth makes the channel wake.
TEST(OneWayTraffic, LeavesThatChannelAsleepUntilAQuarterOfTheCreditsIsWithheld) {
  TinyWorld world =
      one_switch({message(10us, 3 * kPacket), message(100us, 9 * kPacket)}, 16 * kPacket);
  (void)world.order(1, SleepWhenIdle{5us, bits(1)});
  world.network.run_until(at(50us));
  EXPECT_EQ(world.state(1), asleep(kFull));
  // Three are withheld already: the first packet of the second message makes four.
  world.network.run_until(at(100'200ns));
  EXPECT_EQ(world.state(1), changing(active(kFull), at(102'150ns)));
  world.network.run_dry();
  EXPECT_EQ(world.seen.messages.size(), 2U);
  // Thirteen credits were left at 100 us: no packet has to wait for more.
  EXPECT_EQ(nanoseconds(world.seen.sent()),
            (Nanoseconds{10'000, 10'400, 10'800, 100'000, 100'400, 100'800, 101'200, 101'600,
                         102'000, 102'400, 102'800, 103'200}));
}

// A buffer of one packet, and a quarter of it withheld: the full packet behind does not fit, so the
// channel must wake though not half of the credits wait for it. It has slept since 5 us; the
// message of 500 bytes leaves s0 from 10150 on, and the credit is at h0 at 12150 + 50.
TEST(OneWayTraffic, WakesThatChannelWhenAPacketWouldNotFit) {
  TinyWorld world = one_switch({message(10us, bytes(500)), message(10us, kPacket)}, kPacket);
  (void)world.order(1, SleepWhenIdle{5us, bits(1)});
  world.network.run_dry();
  EXPECT_EQ(nanoseconds(world.seen.sent()), (Nanoseconds{10'000, 12'200}));
}

// The packet leaves s0 150-550; channel 1 is sent to sleep at 300, before the credit. It is
// withheld all the same.
TEST(OneWayTraffic, WakesAChannelThatFellAsleepJustBeforeACredit) {
  TinyWorld world = one_switch({message({}, 3 * kPacket)}, kPacket);
  (void)world.order(1, WakeWhenQueued{bits(1)});
  world.network.run_until(at(300ns));
  (void)world.order(1, Sleep{});
  world.network.run_dry();
  EXPECT_EQ(world.seen.packets.size(), 3U);
  EXPECT_EQ(to_string(world.network.leftovers()), "");
}

// Channel 1 sends a packet to h0 until 1750 and sleeps then: the credit of that moment goes with
// it, and is not counted as withheld.
TEST(OneWayTraffic, LeavesAChannelAsleepThatCarriedTheCreditsBeforeIt) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = kPacket;
  TinyWorld world(line(1, {{k10G}, {k40G}}), {sleepy({k10G}, 2us), sleepy({k40G}, 2us)}, hardware,
                  {message({}, kPacket, 1, 0), message({}, kPacket, 0, 1)});
  // h1's packet is on channel 1 from 150 to 1750 (10 Gb/s), as h0's is on channel 0 from 0 to 1600
  // and on channel 2 from 1350 to 1750.
  (void)world.order(1, WakeWhenQueued{bits(1)});
  world.network.run_until(at(200ns));
  EXPECT_EQ(world.order(1, Sleep{}).applied, changing(asleep(kFull), at(1750ns)));
  world.network.run_dry();
  EXPECT_EQ(world.state(1), asleep(kFull));
}

}  // namespace
}  // namespace ebb::netsim
