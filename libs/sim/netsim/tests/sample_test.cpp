// SPDX-License-Identifier: Apache-2.0
// What a policy sees of a channel.

#include "experiment_parts.hpp"
#include "tiny_network.hpp"

#include "ebb/netsim/experiment.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <set>

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
    EXPECT_EQ(channel.rate_levels, 1);
    EXPECT_EQ(channel.state, policy::active(policy::RateLevel{0}));
  }
  EXPECT_EQ(sample.channels[2].id, policy::ChannelId{2});
  EXPECT_EQ(sample.channels[2].reverse, policy::ChannelId{3});
  EXPECT_EQ(sample.channels[3].reverse, policy::ChannelId{2});
  EXPECT_EQ(sample.channels[0].queued, kPacket);  // created at this moment
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
  const topology::RateTable rates = {k10G, k40G};
  TinyWorld world(line(1, {rates}), sleepy(rates, 2us, 1us), tiny_hardware(), {});
  (void)world.order(0, policy::SetRateLevel{policy::RateLevel{0}});
  (void)world.order(1, policy::Sleep{});
  world.network.run_until(at(400ns));
  const policy::Sample sample = world.network.sample();
  EXPECT_EQ(sample.channels[0].state,
            policy::changing(policy::active(policy::RateLevel{0}), at(1us)));
  EXPECT_EQ(sample.channels[1].state, policy::asleep(policy::RateLevel{1}));
  EXPECT_EQ(sample.channels[1].rate_levels, 2);
  EXPECT_EQ(to_string(check(sample)), "");
}

// The window is the whole time, changes included.
TEST(ASample, DoesNotShortenItsWindowForAChange) {
  const topology::RateTable rates = {k10G, k40G};
  TinyWorld world(line(1, {rates}), rates_only(rates, 1us), tiny_hardware(),
                  {message({}, kPacket)});
  (void)world.network.sample();
  (void)world.order(2, policy::SetRateLevel{policy::RateLevel{0}});
  world.network.run_until(at(10us));
  const policy::ChannelSample channel = world.network.sample().channels[2];
  EXPECT_EQ(channel.window, 10us);
  EXPECT_EQ(channel.busy, 1600ns);
}

}  // namespace

// What next-hop sets a policy is given that needs them, and when.
namespace {

// Notes what it hears, in order.
class Listener final : public policy::Policy {
 public:
  [[nodiscard]] Duration sample_period() const override { return std::chrono::microseconds(10); }
  [[nodiscard]] bool needs_next_hops() const override { return true; }
  void set_next_hops(std::span<const policy::NextHopSet> next_hops) override {
    ++studies;
    EXPECT_EQ(samples, 0);
    given.assign(next_hops.begin(), next_hops.end());
  }
  [[nodiscard]] std::vector<policy::Action> decide(const policy::Sample& sample) override {
    ++samples;
    for (const policy::NextHopSet& row : given) {
      for (const policy::ChannelId channel : row.channels) {
        const auto at = find(sample, channel);
        EXPECT_TRUE(at && sample.channels[*at].device == row.device);
        EXPECT_TRUE(at && !sample.channels[*at].to_host);
        named.insert(channel);
      }
    }
    return {};
  }

  int studies = 0;
  int samples = 0;
  std::vector<policy::NextHopSet> given;
  std::set<policy::ChannelId> named;
};

TEST(NextHops, ReachThePolicyOnceBeforeTheFirstSampleAndNameTheChannelsOfSamples) {
  const topology::RateTable rates = {gigabits_per_second(40)};
  const auto graph = topology::build("mesh", {{"hosts", "1"}, {"dims", "3x3"}}, rates).value();
  const auto routing = routing::make_routing("up-down-nonminimal", graph).value();
  const auto next_hops = next_hops_of(graph, *routing).value();
  EXPECT_TRUE(policy::check(next_hops).empty());
  const To pattern({1, 2, 3, 4, 5, 6, 7, 8, 0});
  const Every injection(std::chrono::microseconds(5));
  const traffic::IndependentHosts workload(pattern, injection, graph.host_count());
  Listener listener;
  (void)run({.graph = graph,
             .routing = *routing,
             .workload = workload,
             .policy = listener,
             .models = {rates_only(rates)},
             .switch_core = {},
             .hardware = {},
             .schedule = {.warm_up = std::chrono::microseconds(10),
                          .measure = std::chrono::microseconds(50)},
             .next_hops = next_hops});
  EXPECT_EQ(listener.studies, 1);
  EXPECT_GT(listener.samples, 4);
  EXPECT_EQ(listener.given, next_hops);
  EXPECT_EQ(listener.named.size(), 24U);  // both directions of the 12 links between switches
}

}  // namespace
}  // namespace ebb::netsim
