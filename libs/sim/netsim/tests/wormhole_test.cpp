// SPDX-License-Identifier: Apache-2.0
//
// Wormhole switching: packets of 2000 bytes are sent in four flits, 100 ns each at 40 Gb/s.
#include "experiment_parts.hpp"
#include "tiny_network.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

constexpr DataSize kFlit = bytes(500);

Hardware worm_hardware(DataSize buffer) {
  Hardware hardware = tiny_hardware();
  hardware.switching = Switching::wormhole;
  hardware.flit = kFlit;
  hardware.input_buffer = buffer;
  return hardware;
}

// With room for a packet a packet is as fast as cut-through: the head leaves s1 at 300, the tail
// arrives 400 + 50 later. The message of 4.25 packets sends a flit every 100, the last at 1600.
TEST(AWorm, IsAsFastAsCutThroughWhereNothingHoldsIt) {
  const Deliveries one =
      delivered(line(2, {{k40G}}), worm_hardware(4 * kPacket), {message({}, kPacket)});
  EXPECT_EQ(nanoseconds(one.arrived()), Nanoseconds{750});
  EXPECT_EQ(one.packets[0].size, kPacket);
  const Deliveries many =
      delivered(line(2, {{k40G}}), worm_hardware(4 * kPacket), {message({}, 4 * kPacket + kFlit)});
  EXPECT_EQ(nanoseconds(many.sent()), (Nanoseconds{0, 400, 800, 1200, 1600}));
  EXPECT_EQ(nanoseconds(many.arrived()), (Nanoseconds{750, 1150, 1550, 1950, 2050}));
  EXPECT_EQ(many.packets[4].size, kFlit);
  EXPECT_EQ(many.messages.size(), 1U);
}

// A buffer of one flit: each waits for the credit of the one before, which is back 150 + 100 + 50
// after that was sent. The last flit leaves at 900, s1 at 1200.
TEST(AWorm, GoesThroughBuffersThatAreSmallerThanIt) {
  const Deliveries one = delivered(line(2, {{k40G}}), worm_hardware(kFlit), {message({}, kPacket)});
  EXPECT_EQ(nanoseconds(one.arrived()), Nanoseconds{1350});
}

// The packet of h0 to h2, whose link takes 1600 for a flit, has flits leave s0 at 150, 1950, 3750
// and 5550 (300 to s1, 1600 to h2, 50 for the credit). Only then the packet of h1, there since 160,
// may have the link. Its head needs the credit of 5550 + 150 + 1600 + 50 = 7350, then a flit goes
// every 300: the last at 8250, from s1 at 8400, at h3 at 8550.
TEST(AWorm, KeepsOthersOffItsVirtualChannelUntilItsTailHasPassed) {
  TinyWorld world(two_by_two(k2500M), {rates_only({k40G}), rates_only({k2500M})},
                  worm_hardware(kFlit), {message({}, kPacket, 0, 2), message(10ns, kPacket, 1, 3)},
                  1);
  world.network.run_until_idle();
  EXPECT_EQ(arrivals_at(world.seen, 2), Nanoseconds{7350});
  EXPECT_EQ(arrivals_at(world.seen, 3), Nanoseconds{8550});
  EXPECT_EQ(to_string(world.network.check_conservation()), "");
}

// On virtual channels of their own they pass each other flit by flit. h1: its flits leave s0 at 250
// (the link was busy), then every 300.
TEST(AWorm, IsPassedOnAnotherVirtualChannel) {
  TinyWorld world(two_by_two(k2500M), {rates_only({k40G}), rates_only({k2500M})},
                  worm_hardware(kFlit), {message({}, kPacket, 0, 2), message(10ns, kPacket, 1, 3)},
                  2);
  world.network.run_until_idle();
  EXPECT_EQ(arrivals_at(world.seen, 2), Nanoseconds{7350});
  ASSERT_EQ(arrivals_at(world.seen, 3).size(), 1U);
  EXPECT_LT(arrivals_at(world.seen, 3)[0], 2000);
}

// A second packet in the input buffer, for the idle h3, waits until the first, for the slow h2, has
// left the buffer: a FIFO. h0 sends 8 flits from 0 to 800 into s0 = s1's neighbour; with a buffer
// for all of them the packet to h2 crosses to s1 at once, and its tail leaves s1 at 300 + 4 * 1600.
TEST(AWorm, WaitsBehindTheOneBeforeItInTheBuffer) {
  TinyWorld world(two_by_two(k2500M), {rates_only({k40G}), rates_only({k2500M})},
                  worm_hardware(4 * kPacket),
                  {message({}, kPacket, 0, 2), message({}, kPacket, 0, 3)}, 1);
  world.network.run_until_idle();
  EXPECT_EQ(arrivals_at(world.seen, 2), Nanoseconds{300 + 4 * 1600 + 50});
  // The tail begins to leave s1 at 300 + 3 * 1600 = 5100; the four flits behind follow at once.
  EXPECT_EQ(arrivals_at(world.seen, 3), Nanoseconds{5100 + 400 + 50});
}

TEST(AWorm, InACircleIsADeadlockThatIsNamed) {
  const topology::Graph graph = Clockwise::ring();
  const Clockwise routing;
  const To pattern({2, 3, 0, 1});
  const Every injection(1us);
  const traffic::IndependentHosts workload(pattern, injection, graph.host_count());
  Says policy;
  const Report report = run({graph,
                             routing,
                             workload,
                             policy,
                             {rates_only({k40G})},
                             {},
                             worm_hardware(kFlit),
                             {.warm_up = 500us, .measure = 1ms, .tail_limit = 1ms}});
  ASSERT_TRUE(report.stall);
  ASSERT_EQ(report.stall->chain.size(), 5U);
  EXPECT_EQ(report.stall->chain[4], "and so round again");
}

}  // namespace
}  // namespace ebb::netsim
