// SPDX-License-Identifier: Apache-2.0
//
// What a policy sees of a channel.
#include "tiny_network.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

TEST(TheFirstSample, HasNoWindow) {
  TinyWorld world(line(1, {{k40G}}), rates_only({k40G}), tiny_hardware(), {message({}, kPacket)});
  const policy::Sample sample = world.network.sample();
  EXPECT_EQ(sample.at, TimePoint{});
  ASSERT_EQ(sample.channels.size(), 4U);
  for (const policy::ChannelSample& channel : sample.channels) {
    EXPECT_EQ(channel.window, Duration{});
    EXPECT_EQ(channel.busy, Duration{});
    EXPECT_EQ(channel.sent, DataSize{});
    EXPECT_EQ(channel.ladder, 1);
    EXPECT_EQ(channel.state, policy::active(policy::RateStep{0}));
  }
  EXPECT_EQ(sample.channels[2].id, policy::ChannelId{2});
  EXPECT_EQ(sample.channels[2].reverse, policy::ChannelId{3});
  EXPECT_EQ(sample.channels[3].reverse, policy::ChannelId{2});
  EXPECT_EQ(sample.channels[0].queued, kPacket);  // born at this moment
  EXPECT_EQ(to_string(check(sample)), "");
}

// h0 sends four packets, 0-1600, to a link of 2.5 Gb/s: on it 150-6550, 6550-12950, ...
TEST(ASample, CutsBusyTimeAtItsWindowAndCountsWhatHasLeftCompletely) {
  TinyWorld world(line(1, {{k40G}, {k2500M}}), {rates_only({k40G}), rates_only({k2500M})},
                  tiny_hardware(), {message({}, 4 * kPacket)});
  (void)world.network.sample();
  struct Row {
    Duration at;
    Duration busy;
    DataSize sent;
    DataSize queued;
  };
  // The heads of the packets are in the queue at 150, 550, 950 and 1350.
  for (const Row& row :
       {Row{1us, 850ns, {}, 2 * kPacket}, Row{2us, 1us, {}, 3 * kPacket},
        Row{6us, 4us, {}, 3 * kPacket}, Row{6550ns, 550ns, kPacket, 3 * kPacket},
        Row{6551ns, 1ns, {}, 2 * kPacket}, Row{19'350ns, 12'799ns, 2 * kPacket, kPacket},
        Row{30us, 6400ns, kPacket, {}}}) {
    SCOPED_TRACE(row.at.count());
    const TimePoint before = world.network.now();
    world.network.run_until(at(row.at));
    const policy::ChannelSample channel = world.network.sample().channels[2];
    EXPECT_EQ(channel.window, at(row.at) - before);
    EXPECT_EQ(channel.busy, row.busy);
    EXPECT_EQ(channel.sent, row.sent);
    EXPECT_EQ(channel.queued, row.queued);
  }
}

TEST(ASample, CountsWhatWaitsInAHostWithoutThePacketOnTheWire) {
  TinyWorld world(line(1, {{k40G}}), rates_only({k40G}), tiny_hardware(),
                  {message({}, bytes(5000)), message(100ns, kPacket), message(10us, kPacket)});
  world.network.run_until(at(50ns));
  EXPECT_EQ(world.network.sample().channels[0].queued, bytes(3000));
  world.network.run_until(at(100ns));
  EXPECT_EQ(world.network.sample().channels[0].queued, bytes(5000));
  world.network.run_until(at(500ns));
  EXPECT_EQ(world.network.sample().channels[0].queued, bytes(3000));
}

TEST(ASample, TellsTheStateOnTheWay) {
  const topology::RateLadder rates = {k10G, k40G};
  TinyWorld world(line(1, {rates}), sleepy(rates, 2us, 1us), tiny_hardware(), {});
  (void)world.order(0, policy::SetStep{policy::RateStep{0}});
  (void)world.order(1, policy::Sleep{});
  world.network.run_until(at(400ns));
  const policy::Sample sample = world.network.sample();
  EXPECT_EQ(sample.channels[0].state,
            policy::changing(policy::active(policy::RateStep{0}), at(1us)));
  EXPECT_EQ(sample.channels[1].state, policy::asleep(policy::RateStep{1}));
  EXPECT_EQ(sample.channels[1].ladder, 2);
  EXPECT_EQ(to_string(check(sample)), "");
}

// The window is the whole time, changes included.
TEST(ASample, DoesNotShortenItsWindowForAChange) {
  const topology::RateLadder rates = {k10G, k40G};
  TinyWorld world(line(1, {rates}), rates_only(rates, 1us), tiny_hardware(),
                  {message({}, kPacket)});
  (void)world.network.sample();
  (void)world.order(2, policy::SetStep{policy::RateStep{0}});
  world.network.run_until(at(10us));
  const policy::ChannelSample channel = world.network.sample().channels[2];
  EXPECT_EQ(channel.window, 10us);
  EXPECT_EQ(channel.busy, 1600ns);
}

}  // namespace
}  // namespace ebb::netsim
