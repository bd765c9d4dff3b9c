// SPDX-License-Identifier: Apache-2.0
// Which of several outputs a packet takes, and credits with wires of their own.

#include "experiment_parts.hpp"
#include "tiny_network.hpp"

#include "ebb/routing/scheme.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

// h0 - s0 = s1 - h1, two links between the switches: channels 0 and 2 lead to s1.
topology::Graph two_links() {
  topology::GraphBuilder builder(2, 2, {{k40G}});
  builder.connect(builder.switch_node(0), builder.switch_node(1));
  builder.connect(builder.switch_node(0), builder.switch_node(1));
  builder.connect(builder.host_node(0), builder.switch_node(0));
  builder.connect(builder.host_node(1), builder.switch_node(1));
  return std::move(builder).build({});
}

// What went over each of the two links, of ten packets far apart. The first can be asleep, and
// wakes for what waits.
std::pair<DataSize, DataSize> sent_with(OutputSelection choice, bool first_sleeps = false,
                                        DataSize low_power_penalty = {}) {
  const topology::Graph graph = two_links();
  const auto routing = routing::make_routing("shortest-path", graph).value();
  Hardware hardware = tiny_hardware();
  hardware.output_selection = choice;
  hardware.low_power_penalty = low_power_penalty;
  std::vector<traffic::Message> messages;
  for (int i = 0; i < 10; ++i) messages.push_back(message(i * 10us, kPacket));
  Script script(messages, 2);
  Watcher watcher;
  Network network({graph, *routing, {sleepy({k40G}, 1us)}, hardware, {}, 1}, script, watcher);
  if (first_sleeps) {
    network.apply({policy::ChannelId{0}, policy::WakeWhenQueued{bits(1)}});
    network.apply({policy::ChannelId{0}, policy::Sleep{}});
  }
  network.run_until_idle();
  network.run_until(network.now() + 1us);  // the last packet has left the wire
  return {network.use(topology::ChannelId{0}).sent, network.use(topology::ChannelId{2}).sent};
}

TEST(OutputSelection, OfTheFirstIsAlwaysTheSame) {
  EXPECT_EQ(sent_with(OutputSelection::first), (std::pair{10 * kPacket, DataSize{}}));
}

TEST(OutputSelection, OfTheLeastUsedTakesTurns) {
  EXPECT_EQ(sent_with(OutputSelection::least_used), (std::pair{5 * kPacket, 5 * kPacket}));
}

TEST(OutputSelection, OfTheLeastUsedLeavesAChannelAsleepWhileThereIsAnother) {
  EXPECT_EQ(sent_with(OutputSelection::least_used, true), (std::pair{DataSize{}, 10 * kPacket}));
}

// The first link sleeps, which counts as five packets that wait. Who looks at queues never takes
// it; a lot falls on both.
TEST(OutputSelection, AtRandomLooksAtNoQueue) {
  EXPECT_EQ(sent_with(OutputSelection::queue, true, 5 * kPacket),
            (std::pair{DataSize{}, 10 * kPacket}));
  const auto [first, second] = sent_with(OutputSelection::random, true, 5 * kPacket);
  EXPECT_EQ(first + second, 10 * kPacket);
  EXPECT_GT(first, kPacket);
  EXPECT_GT(second, kPacket);
}

// Of 20 packets h0 sends to h1, s1 has room for 10, and the channel back sleeps.
TEST(Credits, WithWiresOfTheirOwnComeBackWhileTheReverseSleeps) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = 10 * kPacket;
  hardware.credits = CreditPath::own_wires;
  TinyWorld world(line(2, {{k40G}}), sleepy({k40G}, 2us), hardware, {message({}, 20 * kPacket)});
  (void)world.order(3, policy::Sleep{});
  (void)world.order(1, policy::Sleep{});
  world.network.run_until_idle();
  EXPECT_EQ(world.seen.packets.size(), 20U);
  EXPECT_EQ(world.state(3).mode, policy::Mode::asleep);
}

}  // namespace

// Virtual channels of one link: each has its own queue and buffer, and the link serves them in
// turn. Packets of host h use virtual channel h modulo 2.
namespace {

using namespace std::chrono_literals;

// From 150 on the link between the switches sends a packet every 400, of h0 and of h1 in turn; each
// arrives 400 + 150 + 50 after it began.
TEST(VirtualChannels, AreServedInTurn) {
  TinyWorld world(two_by_two(k40G), {rates_only({k40G}), rates_only({k40G})}, tiny_hardware(),
                  {message({}, 3 * kPacket, 0, 2), message({}, 3 * kPacket, 1, 3)}, 2);
  world.network.run_until_idle();
  EXPECT_EQ(arrivals_at(world.seen, 2), (Nanoseconds{750, 1550, 2350}));
  EXPECT_EQ(arrivals_at(world.seen, 3), (Nanoseconds{1150, 1950, 2750}));
  EXPECT_EQ(to_string(world.network.check_conservation()), "");
}

// Buffers of one packet, and h2 behind a link on which a packet takes 6400.
//   h0: s0 150-550, s1 300-6700. The next may enter s1 at 6750, and leaves at 6900-13300.
//   h1: s0 550-950 (the link was busy), s1 700-1100. The next two are sent when their host has its
//   credit, at 950 + 50 and 1550 + 50, and do not wait.
TEST(VirtualChannels, DoNotHoldUpEachOther) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = kPacket;
  TinyWorld world(two_by_two(k2500M), {rates_only({k40G}), rates_only({k2500M})}, hardware,
                  {message({}, 2 * kPacket, 0, 2), message({}, 3 * kPacket, 1, 3)}, 2);
  world.network.run_until_idle();
  EXPECT_EQ(arrivals_at(world.seen, 2), (Nanoseconds{6750, 13350}));
  EXPECT_EQ(arrivals_at(world.seen, 3), (Nanoseconds{1150, 1750, 2350}));
  EXPECT_EQ(to_string(world.network.check_conservation()), "");
}

// With one virtual channel the packet of h1, at s0 at 160, waits until the first of h0 has left s1
// at 6700: it crosses at 6750-7150 and leaves s1 at 6900-7300. Then the second of h0 crosses at
// 7350 and leaves at 7500-13900.
TEST(OneVirtualChannel, HoldsUpAllBehindTheFirst) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = kPacket;
  TinyWorld world(two_by_two(k2500M), {rates_only({k40G}), rates_only({k2500M})}, hardware,
                  {message({}, 2 * kPacket, 0, 2), message(10ns, kPacket, 1, 3)}, 1);
  world.network.run_until_idle();
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
  world.network.run_until_idle();
  EXPECT_EQ(arrivals_at(world.seen, 2), Nanoseconds{1300});
}

}  // namespace

// A fast link (400 ns a packet) into a slow one (1600 ns): packets wait in the switch, in the input
// buffer or, with their credit on its way back, in the output buffer. Packet n leaves the switch at
// 150 + 1600 n whatever the buffers.
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
