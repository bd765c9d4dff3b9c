// SPDX-License-Identifier: Apache-2.0
//
// Packets that find their way free. The last bit arrives after
//
//   cut-through         the slowest transmission + all cables + all switches
//   store-and-forward   every transmission + all cables + all switches.
#include "tiny_network.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

Hardware storing() {
  Hardware hardware = tiny_hardware();
  hardware.switching = Switching::store_and_forward;
  return hardware;
}

Nanoseconds arrivals(topology::Graph graph, const Hardware& hardware, DataSize size = kPacket) {
  return nanoseconds(delivered(std::move(graph), hardware, {message({}, size)}).arrived());
}

TEST(OnePacket, CutsThroughEverySwitch) {
  // 400 + 2 x 100 + 3 x 50
  EXPECT_EQ(arrivals(line(2, {{k40G}}), tiny_hardware()), Nanoseconds{750});
  EXPECT_EQ(arrivals(line(3, {{k40G}}), tiny_hardware()), Nanoseconds{900});
}

TEST(OnePacket, IsStoredInEverySwitch) {
  // 3 x 400 + 2 x 100 + 3 x 50
  EXPECT_EQ(arrivals(line(2, {{k40G}}), storing()), Nanoseconds{1550});
}

TEST(OnePacket, TellsWhoSentItWhenAndHowMuch) {
  const Deliveries seen =
      delivered(line(2, {{k40G}}), tiny_hardware(), {message(3us, bytes(1000), 1, 0)});
  ASSERT_EQ(seen.packets.size(), 1U);
  // 200 + 2 x 100 + 3 x 50
  EXPECT_EQ(seen.packets[0], (PacketDelivered{1, 0, 0, bytes(1000), at(3us), at(3550ns)}));
  ASSERT_EQ(seen.messages.size(), 1U);
  EXPECT_EQ(seen.messages[0], (MessageDelivered{1, 0, 0, at(3us), at(3550ns)}));
}

TEST(OnePacket, PaysForTheSlowestLinkWhereverItIs) {
  // 1600 + 2 x 100 + 3 x 50
  EXPECT_EQ(arrivals(line(2, {{k10G}, {k40G}}), tiny_hardware()), Nanoseconds{1950});
  EXPECT_EQ(arrivals(line(2, {{k40G}, {k10G}, {k40G}}), tiny_hardware()), Nanoseconds{1950});
  EXPECT_EQ(arrivals(line(2, {{k40G}, {k40G}, {k10G}}), tiny_hardware()), Nanoseconds{1950});
}

TEST(OnePacket, PaysForEveryLinkWhenItIsStored) {
  // 1600 + 400 + 400 + 2 x 100 + 3 x 50
  EXPECT_EQ(arrivals(line(2, {{k10G}, {k40G}}), storing()), Nanoseconds{2750});
}

// Its tail is ready at the switch at 1600 + 150 and takes 400, so a faster link starts at 1350.
TEST(OnePacket, LeavesASlowLinkJustSoLateThatAFastOneDoesNotRunDry) {
  TinyWorld world(line(2, {{k10G}, {k40G}}), {rates_only({k10G}), rates_only({k40G})},
                  tiny_hardware(), {message({}, kPacket)});
  world.network.run_until(at(1350ns));
  EXPECT_EQ(world.use(2).busy, 0ns);
  world.network.run_until(at(1360ns));
  EXPECT_EQ(world.use(2).busy, 10ns);
  world.network.run_until(at(1750ns));
  EXPECT_EQ(world.use(2), (ChannelUse{400ns, kPacket}));
}

TEST(OnePacket, StartsOnASlowLinkWithItsHead) {
  TinyWorld world(line(2, {{k40G}, {k10G}, {k40G}}),
                  {rates_only({k40G}), rates_only({k10G}), rates_only({k40G})}, tiny_hardware(),
                  {message({}, kPacket)});
  world.network.run_until(at(160ns));
  EXPECT_EQ(world.use(2).busy, 10ns);
  // The next link is fast again: 1600 + 2 x 150 - 400.
  world.network.run_until(at(1500ns));
  EXPECT_EQ(world.use(4).busy, 0ns);
  world.network.run_until(at(1501ns));
  EXPECT_EQ(world.use(4).busy, 1ns);
}

TEST(OnePacket, TakesAWholePicosecondForAFractionOfOne) {
  // 1000 bits at 3 Gb/s are 333 333.3 ps; 100 + 2 x 50 ns more.
  const Deliveries seen =
      delivered(line(1, {{gigabits_per_second(3)}}), tiny_hardware(), {message({}, bits(1000))});
  EXPECT_EQ(seen.arrived(), std::vector<TimePoint>{at(Duration(333'334 + 200'000))});
}

TEST(OnePacket, PaysForTheLengthOfItsCables) {
  Hardware hardware = tiny_hardware();
  hardware.delay_per_metre = 5ns;
  // 750 ns + 5 ns x (0 + 10 m + 1.501 m)
  const Deliveries seen =
      delivered(line(2, {{k40G}}, {0, 10'000, 1'501}), hardware, {message({}, kPacket)});
  EXPECT_EQ(seen.arrived(), std::vector<TimePoint>{at(750ns + 50ns + Duration(7'505))});
}

// h1's packet is on the way to h2 from 150 to 550. The tail of h0's, from a slow link, is ready at
// 10 + 1600 + 150, so although the way is free at 550 it starts at 1360.
TEST(OnePacket, WaitsForItsTailInAQueueToo) {
  topology::GraphBuilder builder(1, 3, {{k40G}, {k10G}});
  builder.connect({.a = builder.host_node(0), .b = builder.switch_node(0), .rate_table = 1});
  builder.connect(builder.host_node(1), builder.switch_node(0));
  builder.connect(builder.host_node(2), builder.switch_node(0));
  const Deliveries seen = delivered(std::move(builder).build({}), tiny_hardware(),
                                    {message(10ns, kPacket, 0, 2), message({}, kPacket, 1, 2)});
  EXPECT_EQ(nanoseconds(seen.arrived()), (Nanoseconds{600, 1360 + 400 + 50}));
}

TEST(AMessage, IsCutIntoPacketsThatFollowEachOther) {
  const Deliveries seen =
      delivered(line(2, {{k40G}}), tiny_hardware(), {message(1us, bytes(5000))});
  EXPECT_EQ(nanoseconds(seen.sent()), (Nanoseconds{1000, 1400, 1800}));
  // 350 ns and its transmission after each: 400, 400 and, for the short one, 200.
  EXPECT_EQ(nanoseconds(seen.arrived()), (Nanoseconds{1750, 2150, 2350}));
  ASSERT_EQ(seen.packets.size(), 3U);
  EXPECT_EQ(seen.packets[2].size, bytes(1000));
  ASSERT_EQ(seen.messages.size(), 1U);
  EXPECT_EQ(seen.messages[0], (MessageDelivered{0, 1, 0, at(1us), at(2350ns)}));
}

// On the middle link: 150 + 1600, + 1600, + 800 for the short one; then one more switch and cable.
TEST(AMessage, QueuesBeforeASlowLink) {
  EXPECT_EQ(arrivals(line(2, {{k40G}, {k10G}, {k40G}}), tiny_hardware(), bytes(5000)),
            (Nanoseconds{1950, 3550, 4350}));
}

TEST(AMessage, WaitsForTheOneBeforeIt) {
  const Deliveries seen = delivered(line(1, {{k40G}}), tiny_hardware(),
                                    {message({}, 2 * kPacket), message(100ns, kPacket)});
  EXPECT_EQ(nanoseconds(seen.sent()), (Nanoseconds{0, 400, 800}));
  ASSERT_EQ(seen.messages.size(), 2U);
  EXPECT_EQ(seen.messages[1], (MessageDelivered{0, 1, 1, at(100ns), at(1400ns)}));
}

TEST(AMessage, CanBeAsSmallAsABit) {
  // 25 ps + 100 + 2 x 50 ns
  const Deliveries seen = delivered(line(1, {{k40G}}), tiny_hardware(), {message({}, bits(1))});
  EXPECT_EQ(seen.arrived(), std::vector<TimePoint>{at(200ns + Duration(25))});
}

TEST(Messages, CrossEachOther) {
  const Deliveries seen = delivered(line(2, {{k40G}}), tiny_hardware(),
                                    {message({}, kPacket, 0, 1), message({}, kPacket, 1, 0)});
  EXPECT_EQ(nanoseconds(seen.arrived()), (Nanoseconds{750, 750}));
}

}  // namespace
}  // namespace ebb::netsim
