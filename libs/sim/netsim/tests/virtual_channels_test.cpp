// SPDX-License-Identifier: Apache-2.0
//
// Virtual channels of one link: each has its own queue and buffer, and the link serves them in
// turn. Packets of host h use virtual channel h modulo 2.
#include "two_by_two.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

// From 150 on the link between the switches sends a packet every 400, of h0 and of h1 in turn; each
// arrives 400 + 150 + 50 after it began.
TEST(VirtualChannels, AreServedInTurn) {
  TinyWorld world(two_by_two(k40G), {rates_only({k40G}), rates_only({k40G})}, tiny_hardware(),
                  {message({}, 3 * kPacket, 0, 2), message({}, 3 * kPacket, 1, 3)}, 2);
  world.network.run_dry();
  EXPECT_EQ(arrivals_at(world.seen, 2), (Nanoseconds{750, 1550, 2350}));
  EXPECT_EQ(arrivals_at(world.seen, 3), (Nanoseconds{1150, 1950, 2750}));
  EXPECT_EQ(to_string(world.network.leftovers()), "");
}

// Buffers of one packet, and h2 behind a link on which a packet takes 6400.
//   h0: s0 150-550, s1 300-6700. The next may enter s1 at 6750, and leaves at 6900-13300.
//   h1: s0 550-950 (the link was busy), s1 700-1100. The next two are sent when their host has its
//   credit, at 950 + 50 and 1550 + 50, and are not held up.
TEST(VirtualChannels, DoNotHoldUpEachOther) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = kPacket;
  TinyWorld world(two_by_two(k2500M), {rates_only({k40G}), rates_only({k2500M})}, hardware,
                  {message({}, 2 * kPacket, 0, 2), message({}, 3 * kPacket, 1, 3)}, 2);
  world.network.run_dry();
  EXPECT_EQ(arrivals_at(world.seen, 2), (Nanoseconds{6750, 13350}));
  EXPECT_EQ(arrivals_at(world.seen, 3), (Nanoseconds{1150, 1750, 2350}));
  EXPECT_EQ(to_string(world.network.leftovers()), "");
}

// With one virtual channel the packet of h1, at s0 at 160, waits until the first of h0 has left s1
// at 6700: it crosses at 6750-7150 and leaves s1 at 6900-7300. Then the second of h0 crosses at
// 7350 and leaves at 7500-13900.
TEST(OneVirtualChannel, HoldsUpAllBehindTheFirst) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = kPacket;
  TinyWorld world(two_by_two(k2500M), {rates_only({k40G}), rates_only({k2500M})}, hardware,
                  {message({}, 2 * kPacket, 0, 2), message(10ns, kPacket, 1, 3)}, 1);
  world.network.run_dry();
  EXPECT_EQ(arrivals_at(world.seen, 2), (Nanoseconds{6750, 13950}));
  EXPECT_EQ(arrivals_at(world.seen, 3), Nanoseconds{7350});
}

// h1 - s0 - s1 - s2 - {h2, h3}, and h0 on s1. The stream of h1 to h3 reaches s1 at 300, 700, 1100:
// each packet just when the link to s2 comes free. The one of h0, sent at 500, is there at 650 and
// has its turn at 700; 400 + 150 + 50 later it has arrived.
TEST(AVirtualChannel, HasItsTurnBeforeAStreamThatLeavesNoGap) {
  topology::GraphBuilder builder(3, 4, {{k40G}});
  builder.connect(builder.switch_node(0), builder.switch_node(1));
  builder.connect(builder.switch_node(1), builder.switch_node(2));
  builder.connect(builder.host_node(0), builder.switch_node(1));
  builder.connect(builder.host_node(1), builder.switch_node(0));
  builder.connect(builder.host_node(2), builder.switch_node(2));
  builder.connect(builder.host_node(3), builder.switch_node(2));
  TinyWorld world(std::move(builder).build({}), rates_only({k40G}), tiny_hardware(),
                  {message(500ns, kPacket, 0, 2), message({}, 20 * kPacket, 1, 3)}, 2);
  world.network.run_dry();
  EXPECT_EQ(arrivals_at(world.seen, 2), Nanoseconds{1300});
}

}  // namespace
}  // namespace ebb::netsim
