// SPDX-License-Identifier: Apache-2.0
// Events, the ports of switches, network cards and hosts by themselves.

#include "../src/buffers.hpp"
#include "../src/credit_flow_control.hpp"
#include "../src/host_receiver.hpp"
#include "../src/network_cards.hpp"
#include "../src/nodes.hpp"
#include "../src/partition_of.hpp"
#include "../src/switch_ports.hpp"
#include "../src/transmitter.hpp"
#include "parts_under_test.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

using PlainModes = Modes<CreditFlowControl, PlainNodes, InputBuffers, PacketSwitching>;

// The parts of a partition that packets pass through, with credits and without anything else.
struct Passage : PartsUnderTest {
  explicit Passage(const Hardware& hardware = tiny_hardware(),
                   std::vector<traffic::Message> messages = {})
      : PartsUnderTest(hardware, rates_only({k10G, k40G}), std::move(messages)),
        nodes(net),
        flow(part, outputs),
        buffers(part, flow, nodes),
        transmitter(part, outputs, buffers, nodes),
        ports(part, outputs, flow, buffers, nodes, transmitter),
        router(part, outputs),
        announcements(part, router),
        cards(part, outputs, flow, nodes, announcements, transmitter) {}

  PlainNodes nodes;
  CreditFlowControl flow;
  PlainModes::Buffers buffers;
  Transmitter<PlainModes> transmitter;
  SwitchPorts<PlainModes> ports;
  Router router;
  Announcements announcements;
  NetworkCards<PlainModes> cards;
};

// Of one moment: by what they are, then by the channel, whenever they were scheduled.
TEST(TheCalendar, OrdersEventsOfOneMoment) {
  PartsUnderTest under;
  under.part.calendar.try_send_at(kBetween, at(1us));
  under.part.calendar.try_send_at(kFromHost, at(1us));
  under.part.calendar.schedule_own(kBetween, at(1us), EventKind::check);
  under.part.calendar.schedule_own(kBetween, at(1us), EventKind::credit_return_blocked);
  const auto seen = under.run(at(2us));
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_EQ(seen[0].what, EventKind::check);
  EXPECT_EQ(seen[1], (Happened{at(1us), EventKind::try_send, index(kBetween)}));
  EXPECT_EQ(seen[2].what, EventKind::credit_return_blocked);
  EXPECT_EQ(seen[3], (Happened{at(1us), EventKind::try_send, index(kFromHost)}));
}

// A try at a time not before one that is scheduled adds none.
TEST(TheCalendar, KeepsTheEarliestTry) {
  PartsUnderTest under;
  under.part.calendar.try_send_at(kBetween, at(2us));
  under.part.calendar.try_send_at(kBetween, at(3us));
  under.part.calendar.try_send_at(kBetween, at(1us));
  EXPECT_EQ(under.net.channels[kBetween].next_try, at(1us));
  EXPECT_EQ(under.run(at(9us)).size(), 2U);  // that of 1 us, and that of 2 us left behind
}

// A packet of a switch of partition 0 is an event of partition 1 after the exchange.
TEST(TheExchange, BringsPacketsToAnotherPartition) {
  const topology::Graph graph = line(2, {{k40G}});
  const FirstPath routing(graph);
  Script source({}, 2);
  NetworkState net({.graph = graph,
                    .routing = routing,
                    .models = {rates_only({k40G})},
                    .hardware = tiny_hardware(),
                    .switch_core = {},
                    .partition_of = {0, 1}},
                   source);
  Outbox outbox(2, 0);
  Observer observer;
  PartitionState here(net, outbox, 0, observer);
  PartitionState there(net, outbox, 1, observer);
  ASSERT_TRUE(net.fixed(kBetween).cut);
  here.exchange.enqueue(kSecondSwitch, at(1us))
      .packets.push_back({at(1us), kBetween, Packet{.destination = 1, .bits = 7}});
  EXPECT_EQ(here.exchange.earliest_enqueued(), at(1us));
  there.exchange.receive(0, there.packets, [](const CreditItem&) { FAIL(); });
  EXPECT_EQ(there.calendar.next_time(), at(1us));
  there.calendar.run([&](NodeId receiver, EventKind what, std::uint32_t which) {
    EXPECT_EQ(receiver, kSecondSwitch);
    EXPECT_EQ(what, EventKind::arrival);
    EXPECT_EQ(there.packets[PacketIndex{which}].bits, 7U);
  });
}

// A free channel takes a packet at once, and the head is at the next switch a cable and a switch
// later; the next packet waits until the channel is free.
TEST(APort, SendsAtOnceOrLater) {
  Passage under;
  const PacketIndex first = under.packet_from(kFromHost);
  EXPECT_TRUE(under.ports.enqueue({kBetween, 0}, first));
  EXPECT_FALSE(under.ports.enqueue({kBetween, 0}, under.packet_from(kFromHost)));
  EXPECT_EQ(under.net.channels[kBetween].queued_bits, kPacket.count());
  EXPECT_EQ(under.run(at(401ns)),
            (std::vector<Happened>{{at(150ns), EventKind::arrival, index(first)},
                                   {at(400ns), EventKind::try_send, index(kBetween)}}));
  under.net.channels[kBetween].next_try = kNever;
  EXPECT_EQ(under.ports.try_send(kBetween), 0);
  EXPECT_EQ(under.net.channels[kBetween].queued_bits, 0);
  EXPECT_EQ(under.transmitter.transmissions(), 2U);
}

TEST(APort, SendsNothingWithoutCredits) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = kPacket;
  Passage under(hardware);
  EXPECT_TRUE(under.ports.enqueue({kBetween, 0}, under.packet_from(kFromHost)));
  (void)under.run(at(1us));
  EXPECT_FALSE(under.ports.enqueue({kBetween, 0}, under.packet_from(kFromHost)));
  EXPECT_EQ(under.ports.try_send(kBetween), std::nullopt);
  EXPECT_EQ(under.ports.try_send(kToHost), std::nullopt);
}

// A message of two packets: it is complete with the second.
TEST(AHost, KnowsWhenAMessageIsComplete) {
  PartsUnderTest under;
  const Watcher& watcher = under.watcher;
  const PlainNodes nodes(under.net);
  HostReceiver receiver(under.part, nodes);
  const Packet packet{.destination = 1, .message = 5, .message_packets = 2, .bits = 16'000};
  receiver.deliver(packet, at(1us));
  EXPECT_EQ(receiver.incomplete(), 1U);
  EXPECT_TRUE(watcher.seen.messages.empty());
  receiver.deliver(packet, at(2us));
  EXPECT_EQ(receiver.incomplete(), 0U);
  ASSERT_EQ(watcher.seen.messages.size(), 1U);
  EXPECT_EQ(watcher.seen.messages[0].at, at(2us));
}

// The card opens both messages; to one destination they go one after the other.
TEST(ACard, SendsThePacketsOfItsMessages) {
  Passage under(tiny_hardware(), {message({}, 2 * kPacket), message({}, kPacket)});
  std::vector<std::uint32_t> messages;
  for (int i = 0; i < 3; ++i) {
    under.cards.try_send(kFromHost);
    under.net.channels[kFromHost].next_try = kNever;
    const TimePoint free = under.net.channels[kFromHost].free_at;
    for (const Happened& one : under.run(free)) {
      if (one.what == EventKind::arrival)
        messages.push_back(under.part.packets[PacketIndex{one.which}].message);
    }
  }
  EXPECT_EQ(messages, (std::vector<std::uint32_t>{0, 0, 1}));
  EXPECT_EQ(under.cards.packets_sent(), 3U);
}

}  // namespace
}  // namespace ebb::netsim
