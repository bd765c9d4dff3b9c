// SPDX-License-Identifier: Apache-2.0
//
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
  // `delivered` asks for leftovers.
  EXPECT_EQ(delivered(line(2, {{k40G}}), with_buffer(2 * kPacket),
                      {message({}, 7 * kPacket), message({}, 5 * kPacket, 1, 0)})
                .packets.size(),
            12U);
}

TEST(Credits, OfPacketsOnTheirWayAreMissed) {
  TinyWorld world(line(1, {{k40G}}), rates_only({k40G}), with_buffer(2 * kPacket),
                  {message({}, kPacket)});
  world.network.run_until(at(100ns));
  EXPECT_NE(to_string(world.network.leftovers()).find("16000 of 32000 bits of credit"),
            std::string::npos)
      << to_string(world.network.leftovers());
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
}  // namespace ebb::netsim
