// SPDX-License-Identifier: Apache-2.0
//
// Network cards that take time: a doorbell of 1 us, and DMA of 100 + 800 ns for a packet.
#include "two_by_two.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

Hardware with_card() {
  Hardware hardware = tiny_hardware();
  hardware.nic = {1us, 100ns, gigabits_per_second(20)};
  return hardware;
}

// The first packet is in the card at 1000 + 900 and sent; the second is fetched meanwhile. They are
// at h1 600 later, and each takes 900 into memory.
TEST(ANetworkCard, FetchesAPacketWhileItSendsTheOneBefore) {
  const Deliveries seen = delivered(line(1, {{k40G}}), with_card(), {message({}, 2 * kPacket)});
  EXPECT_EQ(nanoseconds(seen.sent()), (Nanoseconds{1900, 2800}));
  EXPECT_EQ(nanoseconds(seen.arrived()), (Nanoseconds{3400, 4300}));
  EXPECT_EQ(seen.messages[0].at, at(4300ns));
}

// The second message was born long before its turn: its doorbell has rung, and its first packet is
// fetched while the only one of the first message is sent.
TEST(ANetworkCard, KnowsOfMessagesThatWait) {
  const Deliveries seen =
      delivered(line(1, {{k40G}}), with_card(), {message({}, kPacket), message(200ns, kPacket)});
  EXPECT_EQ(nanoseconds(seen.sent()), (Nanoseconds{1900, 2800}));
}

// With a DMA engine as slow as 2.5 Gb/s the memory of h1 takes 6500 for each packet, one by one.
TEST(ANetworkCard, PutsPacketsIntoMemoryOneByOne) {
  Hardware hardware = tiny_hardware();
  hardware.nic = {{}, 100ns, k2500M};
  const Deliveries seen = delivered(line(1, {{k40G}}), hardware, {message({}, 2 * kPacket)});
  EXPECT_EQ(nanoseconds(seen.sent()), (Nanoseconds{6500, 13'000}));
  EXPECT_EQ(nanoseconds(seen.arrived()), (Nanoseconds{6500 + 600 + 6500, 13'000 + 600 + 6500}));
}

// Two hosts send to h2, whose card takes the second packet, there 400 after the first, when it has
// stored that.
TEST(ANetworkCard, StoresPacketsOfSeveralHostsOneByOne) {
  Hardware hardware = tiny_hardware();
  hardware.nic = {{}, 100ns, k2500M};
  TinyWorld world(two_by_two(k40G), {rates_only({k40G}), rates_only({k40G})}, hardware,
                  {message({}, kPacket, 0, 2), message({}, kPacket, 1, 2)});
  world.network.run_dry();
  EXPECT_EQ(arrivals_at(world.seen, 2), (Nanoseconds{7250 + 6500, 7250 + 2 * 6500}));
}

// One DMA engine for all lanes: what both have at the same time is fetched one after the other.
TEST(ANetworkCard, FetchesForItsLanesOneByOne) {
  Hardware hardware = with_card();
  hardware.lanes = {Lane{}, Lane{}};
  traffic::Message second = message({}, kPacket);
  second.service = 1;
  const Deliveries seen = delivered(line(1, {{k40G}}), hardware, {message({}, kPacket), second});
  EXPECT_EQ(nanoseconds(seen.sent()), (Nanoseconds{1900, 2800}));
}

}  // namespace
}  // namespace ebb::netsim
