// SPDX-License-Identifier: Apache-2.0
// Network cards that take time: a doorbell of 1 us, and DMA of 100 + 800 ns for a packet.

#include "../src/vl_arbiter.hpp"
#include "tiny_network.hpp"

#include <string>

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

// The second message was created long before its turn: its doorbell has rung, and its first packet
// is fetched while the only one of the first message is sent.
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
  world.network.run_until_idle();
  EXPECT_EQ(arrivals_at(world.seen, 2), (Nanoseconds{7250 + 6500, 7250 + 2 * 6500}));
}

// One DMA engine for all lanes: what both have at the same time is fetched one after the other.
TEST(ANetworkCard, FetchesForItsLanesOneByOne) {
  Hardware hardware = with_card();
  hardware.virtual_lanes = {VirtualLane{}, VirtualLane{}};
  traffic::Message second = message({}, kPacket);
  second.service = 1;
  const Deliveries seen = delivered(line(1, {{k40G}}), hardware, {message({}, kPacket), second});
  EXPECT_EQ(nanoseconds(seen.sent()), (Nanoseconds{1900, 2800}));
}

// Packets take 400 on the wire of their host; h2 and h3 have them 750 after they began, h1, on the
// same switch, 600.
Deliveries sent_by_h0(std::uint32_t open_messages, const std::vector<traffic::Message>& messages) {
  Hardware hardware = tiny_hardware();
  hardware.open_messages = open_messages;
  TinyWorld world(two_by_two(k40G), {rates_only({k40G}), rates_only({k40G})}, hardware, messages);
  world.network.run_until_idle();
  EXPECT_EQ(to_string(world.network.check_conservation()), "");
  return world.seen;
}

// The messages take turns, and the short one does not wait for the end of the long one.
TEST(ANetworkCard, SendsMessagesToDifferentHostsInTurn) {
  const Deliveries seen =
      sent_by_h0(16, {message({}, 3 * kPacket, 0, 2), message({}, kPacket, 0, 3)});
  EXPECT_EQ(arrivals_at(seen, 2), (Nanoseconds{750, 800 + 750, 1200 + 750}));
  EXPECT_EQ(arrivals_at(seen, 3), Nanoseconds{400 + 750});
}

// The second packet has been chosen when the first began at 0: the message that was created at 10
// has its turn after it.
TEST(ANetworkCard, ChoosesThePacketThatFollowsWhenOneBegins) {
  const Deliveries seen =
      sent_by_h0(16, {message({}, 3 * kPacket, 0, 2), message(10ns, kPacket, 0, 3)});
  EXPECT_EQ(arrivals_at(seen, 2), (Nanoseconds{750, 400 + 750, 1200 + 750}));
  EXPECT_EQ(arrivals_at(seen, 3), Nanoseconds{800 + 750});
}

TEST(ANetworkCard, SendsOneMessageAfterTheOtherWhenOneIsOpen) {
  const Deliveries seen =
      sent_by_h0(1, {message({}, 3 * kPacket, 0, 2), message({}, kPacket, 0, 3)});
  EXPECT_EQ(arrivals_at(seen, 2), (Nanoseconds{750, 400 + 750, 800 + 750}));
  EXPECT_EQ(arrivals_at(seen, 3), Nanoseconds{1200 + 750});
}

// As on one connection: the second message to h2 begins when the first has been sent, while those
// to h2 and h3 take turns.
TEST(ANetworkCard, KeepsTheOrderOfMessagesToOneHost) {
  const Deliveries seen = sent_by_h0(
      16,
      {message({}, 2 * kPacket, 0, 2), message({}, kPacket, 0, 2), message({}, 2 * kPacket, 0, 3)});
  ASSERT_EQ(seen.messages.size(), 3U);
  EXPECT_EQ(seen.messages[0].at, at(Duration(800ns) + 750ns));   // the first to h2
  EXPECT_EQ(seen.messages[1].at, at(Duration(1200ns) + 750ns));  // that to h3
  EXPECT_EQ(seen.messages[2].at, at(Duration(1600ns) + 750ns));  // the second to h2
}

// With two places the message to h1 waits until that to h2 has been sent, at 800, when the turn has
// passed to h3.
TEST(ANetworkCard, OpensNoMoreMessagesThanItHasPlaces) {
  const std::vector<traffic::Message> messages = {
      message({}, 2 * kPacket, 0, 2), message({}, 2 * kPacket, 0, 3), message({}, kPacket, 0, 1)};
  EXPECT_EQ(arrivals_at(sent_by_h0(2, messages), 1), Nanoseconds{1600 + 600});
  EXPECT_EQ(arrivals_at(sent_by_h0(3, messages), 1), Nanoseconds{800 + 600});
}

}  // namespace

// Virtual lanes: two levels of priority, and turns by weight within a level.
namespace {

using namespace std::chrono_literals;

Hardware with_lanes(std::vector<VirtualLane> lanes) {
  Hardware hardware = tiny_hardware();
  hardware.virtual_lanes = std::move(lanes);
  return hardware;
}

// The lanes that send when all of them always have packets of `size`.
std::string served(const Hardware& hardware, int packets, DataSize size) {
  const VlArbiter lanes(hardware);
  VlArbiterState turn;
  std::string result;
  for (int i = 0; i < packets; ++i) {
    const std::uint8_t lane = *lanes.order(turn).begin();
    lanes.spend(turn, lane, static_cast<std::uint32_t>(size.count()));
    result += static_cast<char>('0' + lane);
  }
  return result;
}

TEST(VlArbiter, OfOneLevelShareByWeight) {
  EXPECT_EQ(served(with_lanes({{false, 1}, {false, 1}}), 6, bytes(64)), "101010");
  EXPECT_EQ(served(with_lanes({{false, 3}, {false, 1}}), 9, bytes(64)), "100010001");
  // A packet that is begun is sent whole, and what it was too long is not made up for.
  EXPECT_EQ(served(with_lanes({{false, 3}, {false, 1}}), 6, bytes(128)), "100100");
}

TEST(VlArbiter, OfHighPriorityGoFirst) {
  EXPECT_EQ(served(with_lanes({{false, 9}, {true, 1}, {true, 2}}), 6, bytes(64)), "221221");
}

TEST(VlArbiter, OfHighPriorityLetOneOfLowGoAfterTheirLimit) {
  Hardware hardware = with_lanes({{false, 1}, {true, 1}});
  hardware.high_limit = bytes(128);
  EXPECT_EQ(served(hardware, 7, bytes(64)), "1101101");
}

TEST(VlArbiter, AreTriedAllInTurn) {
  const VlArbiter lanes(with_lanes({{true, 1}, {false, 1}, {true, 1}, {false, 1}}));
  VlArbiterState turn;
  lanes.spend(turn, 2, 512);
  const ArbitrationOrder order = lanes.order(turn);
  EXPECT_EQ((std::vector<std::uint8_t>(order.begin(), order.end())),
            (std::vector<std::uint8_t>{0, 2, 3, 1}));
}

traffic::Message of_service(traffic::Message message, std::uint8_t service) {
  message.service = service;
  return message;
}

// Both hosts have their first packet at s0 at 150; that of h0 goes first, because it asked first.
// Then h1's packets, of high priority, go at 550, 950, 1350 and the others of h0 after them. A
// packet arrives 600 after it began.
TEST(ALaneOfHighPriority, IsServedBeforeTheOther) {
  TinyWorld world(two_by_two(k40G), {rates_only({k40G}), rates_only({k40G})},
                  with_lanes({{false, 1}, {true, 1}}),
                  {of_service(message({}, 3 * kPacket, 0, 2), 0),
                   of_service(message({}, 3 * kPacket, 1, 3), 1)});
  world.network.run_until_idle();
  EXPECT_EQ(arrivals_at(world.seen, 3), (Nanoseconds{1150, 1550, 1950}));
  EXPECT_EQ(arrivals_at(world.seen, 2), (Nanoseconds{750, 2350, 2750}));
  EXPECT_EQ(to_string(world.network.check_conservation()), "");
}

// Service 5 is mapped to the lane of high priority; 0 to the other. The card of h0 has both, and
// serves the later one as soon as the packet on the wire has left at 400.
TEST(ANetworkCard, ServesItsLanesByPriority) {
  Hardware hardware = with_lanes({{false, 1}, {true, 1}});
  hardware.service_lanes = {0, 0, 0, 0, 0, 1};
  TinyWorld world(two_by_two(k40G), {rates_only({k40G}), rates_only({k40G})}, hardware,
                  {of_service(message({}, 3 * kPacket, 0, 2), 0),
                   of_service(message(100ns, kPacket, 0, 3), 5)});
  world.network.run_until_idle();
  EXPECT_EQ(arrivals_at(world.seen, 3), Nanoseconds{400 + 750});
  EXPECT_EQ(arrivals_at(world.seen, 2), (Nanoseconds{750, 1550, 1950}));
}

// The lane to the slow h2 is full: its second packet waits for a credit. The other goes on.
TEST(ALane, ThatIsFullDoesNotHoldUpTheOther) {
  Hardware hardware = with_lanes({{false, 1}, {false, 1}});
  hardware.input_buffer = kPacket;
  TinyWorld world(
      two_by_two(k2500M), {rates_only({k40G}), rates_only({k2500M})}, hardware,
      {of_service(message({}, 3 * kPacket, 0, 2), 0), of_service(message(10ns, kPacket, 0, 3), 1)});
  world.network.run_until_idle();
  EXPECT_EQ(arrivals_at(world.seen, 3), Nanoseconds{400 + 750});
  EXPECT_EQ(arrivals_at(world.seen, 2).size(), 3U);
}

}  // namespace
}  // namespace ebb::netsim
