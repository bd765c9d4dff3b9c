// SPDX-License-Identifier: Apache-2.0
//
// A fast link (400 ns a packet) into a slow one (1600 ns): packets wait in the switch, in the input
// buffer or, with their credit on its way back, in the output buffer. Packet n leaves the switch at
// 150 + 1600 n whatever the buffers.
#include "tiny_network.hpp"

namespace ebb::netsim {
namespace {

Nanoseconds sent(DataSize input, DataSize output, int packets) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = input;
  hardware.output_buffer = output;
  const Deliveries seen =
      delivered(line(1, {{k40G}, {k10G}}), hardware, {message({}, packets * kPacket)});
  Nanoseconds expected;
  for (int i = 1; i <= packets; ++i) expected.push_back(150 + 1600 * i + 50);
  EXPECT_EQ(nanoseconds(seen.arrived()), expected);
  return nanoseconds(seen.sent());
}

// The first packet has left at 1750; the second arrives at 1950 and leaves by 3550 ...
TEST(WithoutAnOutputBuffer, ACreditComesBackWhenThePacketHasLeft) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = kPacket;
  const Deliveries seen =
      delivered(line(1, {{k40G}, {k10G}}), hardware, {message({}, 3 * kPacket)});
  EXPECT_EQ(nanoseconds(seen.sent()), (Nanoseconds{0, 1800, 3600}));
  EXPECT_EQ(nanoseconds(seen.arrived()), (Nanoseconds{1800, 3600, 5400}));
}

// The first packet is in the output buffer when its tail has passed the switch, at 400 + 150. The
// second can follow when the first has left, at 1750, the third when the second has, at 3350.
TEST(AnOutputBuffer, OfOnePacketTakesThePacketAndReturnsItsCredit) {
  EXPECT_EQ(sent(kPacket, kPacket, 4), (Nanoseconds{0, 600, 1800, 3400}));
}

// The second enters beside the first, with its tail at 600 + 400 + 150; the third at 1750, the
// fourth at 3350.
TEST(AnOutputBuffer, OfTwoPacketsTakesTwo) {
  EXPECT_EQ(sent(kPacket, 2 * kPacket, 5), (Nanoseconds{0, 600, 1200, 1800, 3400}));
}

// First at 550, second (sent at 400) at 1750, third (sent at 800 with the first's credit) at 3350,
// fourth (sent at 1800 with the second's) at 4950: one of them waits outside, in the input buffer.
TEST(AnOutputBuffer, IsEnteredInTheOrderOfArrival) {
  EXPECT_EQ(sent(2 * kPacket, kPacket, 6), (Nanoseconds{0, 400, 800, 1800, 3400, 5000}));
}

// Four enter with their tails, 550 after they were sent. Beside the second on the wire, the third
// and the fourth there is half a packet of room, so the fifth enters at 3350.
TEST(AnOutputBuffer, TakesAsManyPacketsAsFit) {
  EXPECT_EQ(sent(kPacket, 3 * kPacket + bytes(1000), 6),
            (Nanoseconds{0, 600, 1200, 1800, 2400, 3400}));
}

}  // namespace
}  // namespace ebb::netsim
