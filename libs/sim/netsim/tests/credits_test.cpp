// SPDX-License-Identifier: Apache-2.0
// Credits at zero contention. Through one switch, a buffer of one packet is used again after
//
//   transmission + switch + 2 cables    (cut-through: 400 + 100 + 2 x 50 = 600 ns)
//
// and once more the transmission where packets are stored.

#include "tiny_network.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

Hardware with_buffer(DataSize buffer) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = buffer;
  return hardware;
}

Nanoseconds sent(topology::Graph graph, const Hardware& hardware, int packets) {
  return nanoseconds(
      delivered(std::move(graph), hardware, {message({}, packets * kPacket)}).sent());
}

TEST(ABufferOfOnePacket, PassesOnePacketPerRoundTrip) {
  EXPECT_EQ(sent(line(1, {{k40G}}), with_buffer(kPacket), 4), (Nanoseconds{0, 600, 1200, 1800}));
}

TEST(ABufferOfOnePacket, PassesOneStoredPacketPerRoundTrip) {
  Hardware hardware = with_buffer(kPacket);
  hardware.switching = Switching::store_and_forward;
  EXPECT_EQ(sent(line(1, {{k40G}}), hardware, 3), (Nanoseconds{0, 1000, 2000}));
}

TEST(ABufferOfOnePacket, HoldsUpEveryLinkOfALineAlike) {
  Hardware hardware = with_buffer(kPacket);
  const Deliveries seen = delivered(line(3, {{k40G}}), hardware, {message({}, 4 * kPacket)});
  EXPECT_EQ(nanoseconds(seen.sent()), (Nanoseconds{0, 600, 1200, 1800}));
  // Each 400 + 3 x 100 + 4 x 50 later: nobody waits on the way.
  EXPECT_EQ(nanoseconds(seen.arrived()), (Nanoseconds{900, 1500, 2100, 2700}));
}

TEST(ABuffer, IsNotFilledByAPartOfAPacket) {
  EXPECT_EQ(sent(line(1, {{k40G}}), with_buffer(kPacket + bits(15'999)), 3),
            (Nanoseconds{0, 600, 1200}));
}

// Cables of 500 ns: 400 + 100 + 2 x 500 = 1500 to come back, two packets at a time.
TEST(ABuffer, OfTwoPacketsPassesTwoPerRoundTrip) {
  Hardware hardware = with_buffer(2 * kPacket);
  hardware.link_latency = 500ns;
  EXPECT_EQ(sent(line(1, {{k40G}}), hardware, 5), (Nanoseconds{0, 400, 1500, 1900, 3000}));
}

// ... and four fill the wire: 4 x 400 > 1500.
TEST(ABuffer, OfARoundTripKeepsTheWireBusy) {
  Hardware hardware = with_buffer(4 * kPacket);
  hardware.link_latency = 500ns;
  EXPECT_EQ(sent(line(1, {{k40G}}), hardware, 6), (Nanoseconds{0, 400, 800, 1200, 1600, 2000}));
}

// What has begun to enter and has not left completely: never more than three packets, often three.
TEST(ABuffer, NeverHoldsMoreThanItsSize) {
  const DataSize buffer = 3 * kPacket;
  TinyWorld world(line(1, {{k40G}, {k2500M}}), {rates_only({k40G}), rates_only({k2500M})},
                  with_buffer(buffer), {message({}, 20 * kPacket)});
  DataSize most;
  for (Duration now = 0ns; now < 130us; now += 10ns) {
    world.network.run_until(at(now));
    const auto packets = static_cast<std::int64_t>(world.network.counts().packets_sent);
    const DataSize held = packets * kPacket - world.use(2).sent;
    ASSERT_LE(held, buffer) << now.count();
    most = std::max(most, held);
  }
  EXPECT_EQ(most, buffer);
  EXPECT_EQ(world.seen.messages.size(), 1U);
}

TEST(Credits, AreAllBackInTheEnd) {
  // `delivered` runs the conservation check.
  EXPECT_EQ(delivered(line(2, {{k40G}}), with_buffer(2 * kPacket),
                      {message({}, 7 * kPacket), message({}, 5 * kPacket, 1, 0)})
                .packets.size(),
            12U);
}

TEST(Credits, OfPacketsOnTheirWayAreMissed) {
  TinyWorld world(line(1, {{k40G}}), rates_only({k40G}), with_buffer(2 * kPacket),
                  {message({}, kPacket)});
  world.network.run_until(at(100ns));
  EXPECT_NE(to_string(world.network.check_conservation()).find("16000 of 32000 bits of credit"),
            std::string::npos)
      << to_string(world.network.check_conservation());
}

TEST(Credits, OfShortPacketsAreWorthTheirSize) {
  // Two packets of 1000 bytes fill the buffer; 200 + 100 + 2 x 50 = 400 to come back.
  Hardware hardware = with_buffer(bytes(1000));
  hardware.packet = bytes(1000);
  EXPECT_EQ(sent(line(1, {{k40G}}), hardware, 1), (Nanoseconds{0, 400}));
  hardware.input_buffer = bytes(2000);
  EXPECT_EQ(sent(line(1, {{k40G}}), hardware, 2), (Nanoseconds{0, 200, 400, 600}));
}

}  // namespace

// One-way traffic, whose credits come back over a channel that sleeps: that channel must wake
// before its far end runs dry. Waking takes 2 us.
namespace {

using namespace std::chrono_literals;
using policy::active;
using policy::asleep;
using policy::changing;
using policy::Sleep;
using policy::SleepWhenIdle;
using policy::WakeWhenQueued;

constexpr policy::RateLevel kFull{0};

// h0 - s0 - h1. Channel 0 leads from h0 to s0, channel 1 back, channel 2 from s0 to h1.
TinyWorld one_switch(const std::vector<traffic::Message>& messages, DataSize buffer) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = buffer;
  return {line(1, {{k40G}}), sleepy({k40G}, 2us), hardware, messages};
}

// All channels sleep when the message is created at 10 us. Channel 0 wakes by 12000 and sends two
// packets, all that two credits allow. Channel 2 wakes from 12150 to 14150 and sends them. With the
// first, half a buffer of credits is on its way to channel 1, which wakes from 14150 to 16150: the
// host has both at 16200, and from then on channel 1 is awake for every credit.
TEST(OneWayTraffic, WakesTheChannelThatReturnsItsCredits) {
  TinyWorld world = one_switch({message(10us, 6 * kPacket)}, 2 * kPacket);
  for (std::uint32_t c = 0; c < 4; ++c) (void)world.order(c, SleepWhenIdle{5us, bits(1)});
  world.network.run_until(at(10us));
  EXPECT_EQ(world.state(1), asleep(kFull));
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.sent()),
            (Nanoseconds{12'000, 12'400, 16'200, 16'600, 17'000, 17'400}));
  EXPECT_EQ(to_string(world.network.check_conservation()), "");
}

// A quarter of a buffer is four packets of sixteen: the fourth makes the channel wake.
TEST(OneWayTraffic, LeavesThatChannelAsleepUntilAQuarterOfTheCreditsIsWithheld) {
  TinyWorld world =
      one_switch({message(10us, 3 * kPacket), message(100us, 9 * kPacket)}, 16 * kPacket);
  (void)world.order(1, SleepWhenIdle{5us, bits(1)});
  world.network.run_until(at(50us));
  EXPECT_EQ(world.state(1), asleep(kFull));
  // Three are deferred already: the first packet of the second message makes four.
  world.network.run_until(at(100'200ns));
  EXPECT_EQ(world.state(1), changing(active(kFull), at(102'150ns)));
  world.network.run_until_idle();
  EXPECT_EQ(world.seen.messages.size(), 2U);
  // Thirteen credits were left at 100 us: no packet has to wait for more.
  EXPECT_EQ(nanoseconds(world.seen.sent()),
            (Nanoseconds{10'000, 10'400, 10'800, 100'000, 100'400, 100'800, 101'200, 101'600,
                         102'000, 102'400, 102'800, 103'200}));
}

// A buffer of one packet, and a quarter of it deferred: the full packet behind does not fit, so the
// channel must wake though not half of the credits wait for it. It has slept since 5 us; the
// message of 500 bytes leaves s0 from 10150 on, and the credit is at h0 at 12150 + 50.
TEST(OneWayTraffic, WakesThatChannelWhenAPacketWouldNotFit) {
  TinyWorld world = one_switch({message(10us, bytes(500)), message(10us, kPacket)}, kPacket);
  (void)world.order(1, SleepWhenIdle{5us, bits(1)});
  world.network.run_until_idle();
  EXPECT_EQ(nanoseconds(world.seen.sent()), (Nanoseconds{10'000, 12'200}));
}

// The packet leaves s0 150-550; channel 1 is sent to sleep at 300, before the credit. It is
// deferred all the same.
TEST(OneWayTraffic, WakesAChannelThatFellAsleepJustBeforeACredit) {
  TinyWorld world = one_switch({message({}, 3 * kPacket)}, kPacket);
  (void)world.order(1, WakeWhenQueued{bits(1)});
  world.network.run_until(at(300ns));
  (void)world.order(1, Sleep{});
  world.network.run_until_idle();
  EXPECT_EQ(world.seen.packets.size(), 3U);
  EXPECT_EQ(to_string(world.network.check_conservation()), "");
}

// Channel 1 sends a packet to h0 until 1750 and sleeps then: the credit of that moment goes with
// it, and is not counted as deferred.
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
  world.network.run_until_idle();
  EXPECT_EQ(world.state(1), asleep(kFull));
}

}  // namespace
}  // namespace ebb::netsim
