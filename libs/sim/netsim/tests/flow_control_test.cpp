// SPDX-License-Identifier: Apache-2.0
// Flow control and buffers by themselves. A packet of 2000 bytes is 16,000 bits.

#include "../src/buffers.hpp"
#include "../src/credit_flow_control.hpp"
#include "../src/nodes.hpp"
#include "../src/pause_flow_control.hpp"
#include "parts_under_test.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kBits = 16'000;

Hardware with_buffer(std::int64_t packets) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = packets * kPacket;
  return hardware;
}

// Room for one packet. Its credit is back a cable after it has left the buffer at 1 us, and a
// sender that ran short looks then.
TEST(Credits, AreTakenAndComeBack) {
  PartsUnderTest under(with_buffer(1));
  CreditFlowControl flow(under.part, under.outputs);
  VcQueue& queue = under.net.queue(kBetween, 0);
  EXPECT_TRUE(flow.take(kBetween, queue, kBits, kFromHost));
  EXPECT_FALSE(flow.take(kBetween, queue, kBits, kFromHost));
  EXPECT_TRUE(queue.stalled);
  EXPECT_EQ(flow.next(kBetween, queue), kNever);
  flow.left(under.part.packets[under.packet_from(kBetween)], at(1us));
  EXPECT_EQ(flow.next(kBetween, queue), at(1050ns));
  EXPECT_EQ(under.run(at(2us)),
            (std::vector<Happened>{{at(1050ns), EventKind::try_send, index(kBetween)}}));
  EXPECT_TRUE(flow.take(kBetween, queue, kBits, kFromHost));
}

// While the reverse channel carries nothing, a credit that would have come later does not count.
TEST(Credits, WaitForTheReverseChannel) {
  PartsUnderTest under(with_buffer(1));
  CreditFlowControl flow(under.part, under.outputs);
  VcQueue& queue = under.net.queue(kBetween, 0);
  EXPECT_TRUE(flow.take(kBetween, queue, kBits, kFromHost));
  EXPECT_FALSE(flow.handle(EventKind::credit_return_blocked, index(kBetween)).may_send);
  flow.left(under.part.packets[under.packet_from(kBetween)], at(1us));
  (void)under.run(at(5us));
  EXPECT_FALSE(flow.take(kBetween, queue, kBits, kFromHost));
  EXPECT_EQ(flow.next(kBetween, queue), kNever);
  EXPECT_EQ(flow.handle(EventKind::credit_return_unblocked, index(kBetween)).may_send, kBetween);
  EXPECT_TRUE(flow.take(kBetween, queue, kBits, kFromHost));
}

TEST(Credits, ThatAreMissingAtTheEndAreReported) {
  PartsUnderTest under(with_buffer(1));
  CreditFlowControl flow(under.part, under.outputs);
  EXPECT_TRUE(flow.take(kBetween, under.net.queue(kBetween, 0), kBits, kFromHost));
  Errors errors;
  flow.check_conservation(kBetween, 0, errors);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].message, "channel 2 virtual channel 0: 0 of 16000 bits of credit");
}

// The third packet reaches xoff. The sender hears of it after a packet and a pause frame on the
// wire (400 + 12.8 ns at 40 Gb/s) and a cable. When two have left, one is there: xon.
TEST(Pauses, StopTheSenderAndLetItGoOn) {
  Hardware hardware = with_buffer(8);
  hardware.flow_control = FlowControl::pause;
  hardware.xoff = 3 * kPacket;
  hardware.xon = kPacket;
  PartsUnderTest under(hardware);
  PauseFlowControl flow(under.part, under.outputs);
  VcQueue& queue = under.net.queue(kBetween, 0);
  for (int i = 0; i < 3; ++i) flow.arrived(under.part.packets[under.packet_from(kBetween)]);
  const auto pause = under.run(at(1us));
  ASSERT_EQ(pause.size(), 1U);
  EXPECT_EQ(pause[0].at, at(Duration(462'800)));
  EXPECT_EQ(flow.handle(pause[0].what, pause[0].which).paused, under.net.place(kBetween, 0));
  EXPECT_FALSE(flow.take(kBetween, queue, kBits, kFromHost));
  const Packet& packet = under.part.packets[under.packet_from(kBetween)];
  flow.left(packet, at(2us));
  flow.left(packet, at(3us));
  std::vector<Happened> seen;
  std::optional<ChannelId> may_send;
  under.part.calendar.run_until(at(9us), [&](NodeId, EventKind what, std::uint32_t which) {
    seen.push_back({under.part.now(), what, which});
    const FlowEvent event = flow.handle(what, which);
    if (event.may_send) may_send = event.may_send;
  });
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[0].at, at(2us));  // looks: two are left
  EXPECT_EQ(seen[1].at, at(3us));  // one is
  EXPECT_EQ(seen[2].at, at(3us + Duration(462'800)));
  EXPECT_EQ(may_send, kBetween);
  EXPECT_TRUE(flow.take(kBetween, queue, kBits, kFromHost));
}

// Without output buffers the input is free when the packet is on the wire.
TEST(InputBuffers, AreFreeWhenThePacketHasLeft) {
  PartsUnderTest under(with_buffer(1));
  CreditFlowControl flow(under.part, under.outputs);
  const PlainNodes nodes(under.net);
  InputBuffers buffers(under.part, flow, nodes);
  VcQueue& queue = under.net.queue(kFromHost, 0);
  EXPECT_TRUE(flow.take(kFromHost, queue, kBits, kNoChannel));
  buffers.sent(kBetween, 0, under.part.packets[under.packet_from(kFromHost)], at(400ns), 400ns);
  EXPECT_EQ(flow.next(kFromHost, queue), at(450ns));
}

// Room for one packet behind the crossbar: the first that waits moves there at once, the second
// when the first has left.
TEST(OutputBuffers, TakeWhatFits) {
  Hardware hardware = with_buffer(2);
  hardware.output_buffer = kPacket;
  PartsUnderTest under(hardware);
  CreditFlowControl flow(under.part, under.outputs);
  const PlainNodes nodes(under.net);
  OutputBuffers buffers(under.part, flow, nodes);
  VcQueue& input = under.net.queue(kFromHost, 0);
  EXPECT_TRUE(flow.take(kFromHost, input, kBits, kNoChannel));
  EXPECT_TRUE(flow.take(kFromHost, input, kBits, kNoChannel));
  VcQueue& output = under.net.queue(kBetween, 0);
  const PacketIndex first = under.packet_from(kFromHost);
  const PacketIndex second = under.packet_from(kFromHost);
  output.push(under.part.packets, first);
  buffers.enter(kBetween, 0, first);
  EXPECT_EQ(flow.next(kFromHost, input), at(50ns));
  output.push(under.part.packets, second);
  buffers.enter(kBetween, 0, second);
  const OutputBuffer& buffer = under.net.output_buffers[under.net.place(kBetween, 0)];
  EXPECT_EQ(buffer.first_outside, second);
  (void)under.run(at(1us));
  EXPECT_TRUE(flow.take(kFromHost, input, kBits, kNoChannel));
  EXPECT_FALSE(flow.take(kFromHost, input, kBits, kNoChannel));
  buffers.sent(kBetween, 0, under.part.packets[first], at(2us), 400ns);
  EXPECT_EQ(buffer.first_outside, kNoPacket);
  EXPECT_EQ(flow.next(kFromHost, input), at(2050ns));
}

}  // namespace
}  // namespace ebb::netsim
