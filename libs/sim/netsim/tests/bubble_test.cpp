// SPDX-License-Identifier: Apache-2.0
// Bubble flow control: by itself, and on rings that would deadlock without it.

#include "../src/bubble_flow_control.hpp"
#include "parts_under_test.hpp"

#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"

namespace ebb::netsim {
namespace {

constexpr std::uint32_t kBits = 16'000;  // of a packet of 2000 bytes
constexpr topology::RingDirection kUp{1};
constexpr topology::RingDirection kAcross{3};

Hardware bubble_hardware(std::int64_t packets) {
  Hardware hardware = tiny_hardware();
  hardware.flow_control = FlowControl::bubble;
  hardware.input_buffer = packets * kPacket;
  return hardware;
}

// The line of tiny_network.hpp with credits, whose channels are said to be on rings: room for three
// packets. Two may enter, a third would leave no room; one that is on the ring may still go on. A
// small packet takes the room of a large one.
TEST(ABubble, StaysInTheRing) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = 3 * kPacket;
  PartsUnderTest under(hardware);
  under.net.channels[kBetween].fixed.direction = kUp;
  under.net.channels[kBetweenBack].fixed.direction = kAcross;
  BubbleFlowControl flow(under.part, under.outputs);
  VcQueue& queue = under.net.queue(kBetween, 0);
  EXPECT_TRUE(flow.take(kBetween, queue, 8, kFromHost));
  EXPECT_TRUE(flow.take(kBetween, queue, kBits, kBetweenBack));
  EXPECT_FALSE(flow.take(kBetween, queue, 8, kFromHost));
  EXPECT_FALSE(flow.take(kBetween, queue, 8, kBetweenBack));
  EXPECT_TRUE(flow.overtakes(kBetween, kBetween, kFromHost));
  EXPECT_FALSE(flow.overtakes(kBetween, kBetween, kBetween));
  EXPECT_TRUE(flow.take(kBetween, queue, kBits, kBetween));
  EXPECT_FALSE(flow.take(kBetween, queue, kBits, kBetween));
}

// Every host sends packets of mixed sizes to the one `ahead` switches on, all at once.
std::vector<traffic::Message> ahead(std::uint32_t hosts, std::uint32_t per_switch,
                                    std::uint32_t ahead) {
  std::vector<traffic::Message> messages;
  for (std::uint32_t host = 0; host < hosts; ++host) {
    for (std::uint32_t i = 0; i < 40; ++i) {
      const std::uint32_t to = (host + ahead * per_switch) % hosts;
      messages.push_back(message({}, i % 3 == 0 ? bytes(300) : kPacket, host, to));
    }
  }
  return messages;
}

// What is left in the network when nothing moves any more.
std::string left_over(const std::string& dims, const std::string& hosts, std::uint32_t steps,
                      const Hardware& hardware) {
  const auto graph = topology::build("torus", {{"hosts", hosts}, {"dims", dims}}, {k40G}).value();
  const auto routing = routing::make_routing("dimension-order", graph).value();
  Script source(ahead(graph.host_count(), static_cast<std::uint32_t>(std::stoul(hosts)), steps),
                graph.host_count());
  Watcher watcher;
  Network network({.graph = graph,
                   .routing = *routing,
                   .models = {rates_only({k40G})},
                   .hardware = hardware,
                   .switch_core = {}},
                  source, watcher);
  network.run_until_idle();
  return to_string(network.check_conservation());
}

TEST(ABubble, KeepsRingsMovingWithRoomForTwoPackets) {
  EXPECT_EQ(left_over("5", "2", 2, bubble_hardware(2)), "");
  EXPECT_EQ(left_over("4x4", "2", 6, bubble_hardware(2)), "");
  EXPECT_EQ(left_over("3x5x3", "1", 22, bubble_hardware(2)), "");
  EXPECT_EQ(left_over("4x4", "3", 10, bubble_hardware(3)), "");
}

TEST(ABubble, NeedsRoomForTwoPackets) {
  const Errors errors = validate(bubble_hardware(1));
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].message, "with bubble flow control a buffer must hold two packets of 2kB");
}

}  // namespace
}  // namespace ebb::netsim
