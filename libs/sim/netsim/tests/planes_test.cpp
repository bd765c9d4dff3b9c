// SPDX-License-Identifier: Apache-2.0
// Hosts with an interface in each of two planes: h0 and h1 with a switch of their own in each.
// Channels of plane p: 4 p from h0, 4 p + 1 to it, 4 p + 2 from h1, 4 p + 3 to it.

#include "tiny_network.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <utility>
#include <vector>

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

topology::Graph star(std::uint32_t planes) {
  topology::GraphBuilder builder(planes, 2 * planes, {{k10G, k40G}});
  for (std::uint32_t plane = 0; plane < planes; ++plane) {
    for (std::uint32_t host = 0; host < 2; ++host)
      builder.connect(builder.host_node(2 * plane + host), builder.switch_node(plane));
  }
  builder.set_planes(planes);
  return std::move(builder).build({});
}

TinyWorld world(std::uint32_t planes, const std::vector<traffic::Message>& messages,
                DataSize penalty = {}, Fidelity fidelity = Fidelity::packet) {
  Hardware hardware = tiny_hardware();
  hardware.low_power_penalty = penalty;
  return {star(planes), std::vector{sleepy({k10G, k40G}, 1us)}, hardware, messages, 1, fidelity};
}

// 400 ns to send, 50 ns for each cable and 100 ns for the switch. A switch begins with a packet
// before it is there.
TEST(Interfaces, SendAtTheSameTime) {
  const std::vector<traffic::Message> both = {message(0ns, kPacket), message(0ns, kPacket)};
  for (const Fidelity fidelity : {Fidelity::packet, Fidelity::flow}) {
    TinyWorld one = world(1, both, {}, fidelity);
    one.network.run_until_idle();
    EXPECT_EQ(one.seen.messages[0].at, at(600ns));
    EXPECT_EQ(one.seen.messages[1].at, at(1000ns));
    TinyWorld two = world(2, both, {}, fidelity);
    two.network.run_until_idle();
    EXPECT_EQ(two.seen.messages[0].at, at(600ns));
    EXPECT_EQ(two.seen.messages[1].at, at(600ns));
    EXPECT_EQ(to_string(two.network.check_conservation()), "");
  }
}

TEST(Interfaces, AreToldByTheirHost) {
  TinyWorld two = world(2, {message(0ns, kPacket), message(1us, kPacket)});
  two.network.run_until_idle();
  for (const MessageDelivered& seen : two.seen.messages) {
    EXPECT_EQ(seen.source, 0U);
    EXPECT_EQ(seen.destination, 1U);
  }
}

// The one with less to send: a long message on one of them leaves the short ones to the other.
TEST(Interfaces, TakeWhatWaitsForTheLeast) {
  TinyWorld two = world(2, {message(0ns, 10 * kPacket), message(100ns, kPacket),
                            message(600ns, kPacket), message(1100ns, kPacket)});
  two.network.run_until(at(1ms));
  EXPECT_EQ(two.use(0).sent, 10 * kPacket);
  EXPECT_EQ(two.use(4).sent, 3 * kPacket);
}

// One that sleeps, and that nothing wakes, gets nothing.
TEST(Interfaces, ThatSleepAreLeftAlone) {
  std::vector<traffic::Message> messages;
  for (int i = 0; i < 6; ++i) messages.push_back(message(10us + i * 100ns, kPacket));
  TinyWorld two = world(2, messages);
  two.network.run_until(at(1us));
  for (const std::uint32_t channel : {4U, 5U, 6U, 7U}) two.order(channel, policy::Sleep{});
  two.network.run_until(at(1ms));
  EXPECT_EQ(two.use(0).sent, 6 * kPacket);
  EXPECT_EQ(two.use(4).sent, DataSize{});
}

// One that wakes by itself costs the penalty: with two packets it is woken for the third.
TEST(Interfaces, ThatSleepCostAPenalty) {
  std::vector<traffic::Message> messages;
  for (int i = 0; i < 4; ++i) messages.push_back(message(10us, kPacket));
  TinyWorld two = world(2, messages, 2 * kPacket);
  two.network.run_until(at(1us));
  for (const std::uint32_t channel : {4U, 5U, 6U, 7U}) {
    two.order(channel, policy::WakeWhenQueued{bytes(1)});
    two.order(channel, policy::Sleep{});
  }
  two.network.run_until(at(1ms));
  EXPECT_EQ(two.use(0).sent, 3 * kPacket);
  EXPECT_EQ(two.use(4).sent, kPacket);
}

}  // namespace
}  // namespace ebb::netsim
