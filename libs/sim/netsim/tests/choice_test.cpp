// SPDX-License-Identifier: Apache-2.0
//
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
std::pair<DataSize, DataSize> sent_with(Choice choice, bool first_sleeps = false) {
  const topology::Graph graph = two_links();
  const auto routing = routing::make_routing("shortest-path", graph).value();
  Hardware hardware = tiny_hardware();
  hardware.choice = choice;
  std::vector<traffic::Message> messages;
  for (int i = 0; i < 10; ++i) messages.push_back(message(i * 10us, kPacket));
  Script script(messages, 2);
  Watcher watcher;
  Network network({graph, *routing, {sleepy({k40G}, 1us)}, hardware, {}, 1}, script, watcher);
  if (first_sleeps) {
    network.apply({policy::ChannelId{0}, policy::WakeWhenQueued{bits(1)}});
    network.apply({policy::ChannelId{0}, policy::Sleep{}});
  }
  network.run_dry();
  network.run_until(network.now() + 1us);  // the last packet has left the wire
  return {network.use(topology::ChannelId{0}).sent, network.use(topology::ChannelId{2}).sent};
}

TEST(Choice, OfTheFirstIsAlwaysTheSame) {
  EXPECT_EQ(sent_with(Choice::first), (std::pair{10 * kPacket, DataSize{}}));
}

TEST(Choice, OfTheLeastUsedTakesTurns) {
  EXPECT_EQ(sent_with(Choice::least_used), (std::pair{5 * kPacket, 5 * kPacket}));
}

TEST(Choice, OfTheLeastUsedLeavesAChannelAsleepWhileThereIsAnother) {
  EXPECT_EQ(sent_with(Choice::least_used, true), (std::pair{DataSize{}, 10 * kPacket}));
}

// Of 20 packets h0 sends to h1, s1 has room for 10, and the channel back sleeps.
TEST(Credits, WithWiresOfTheirOwnComeBackWhileTheReverseSleeps) {
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = 10 * kPacket;
  hardware.credits = CreditPath::own_wires;
  TinyWorld world(line(2, {{k40G}}), sleepy({k40G}, 2us), hardware, {message({}, 20 * kPacket)});
  (void)world.order(3, policy::Sleep{});
  (void)world.order(1, policy::Sleep{});
  world.network.run_dry();
  EXPECT_EQ(world.seen.packets.size(), 20U);
  EXPECT_EQ(world.state(3).mode, policy::Mode::asleep);
}

}  // namespace
}  // namespace ebb::netsim
