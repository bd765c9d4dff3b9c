// SPDX-License-Identifier: Apache-2.0
//
// A network in which nothing moves ends its run, and the report says what waits for what.
#include "experiment_parts.hpp"
#include "tiny_network.hpp"

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

Report run_with(const topology::Graph& graph, const routing::Routing& routing,
                const traffic::Pattern& pattern, policy::Policy& policy, DataSize buffer) {
  const Every injection(1us);
  const traffic::IndependentHosts workload(pattern, injection, graph.host_count());
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = buffer;
  return run({graph,
              routing,
              workload,
              policy,
              {sleepy({k40G}, 2us)},
              {},
              hardware,
              {.warm_up = 500us, .measure = 1ms, .tail_limit = 1ms}});
}

// h0 sends a packet each us to h1, and 10 of them fit into s0.
Report line_with_asleep(std::uint32_t channel) {
  const topology::Graph graph = line(2, {{k40G}});
  const FirstPath routing(graph);
  Says policy = at_start({{policy::ChannelId{channel}, policy::Sleep{}}});
  return run_with(graph, routing, To({1, 1}), policy, 10 * kPacket);
}

TEST(AStall, NamesTheChannelThatSleeps) {
  const Report report = line_with_asleep(2);
  ASSERT_TRUE(report.stall);
  EXPECT_EQ(report.stall->packets, 10U);
  ASSERT_EQ(report.stall->chain.size(), 1U);
  EXPECT_EQ(report.stall->chain[0], "s0 -> s1 virtual channel 0 sleeps and nothing wakes it");
  // The tenth packet was the last, at 9 us; it was noticed within a hundredth of the measured time.
  EXPECT_GE(report.stall->since, at(9us));
  EXPECT_LE(report.stall->since, at(20us));
  EXPECT_EQ(report.messages_unfinished, report.messages);
  EXPECT_TRUE(saturated(report));
  EXPECT_FALSE(steady(report));
}

// Ten packets crossed to s1 and on to h1, then the credits ended: ten more wait in s0.
TEST(AStall, NamesTheChannelWhoseCreditsDoNotComeBack) {
  const Report report = line_with_asleep(3);
  ASSERT_TRUE(report.stall);
  EXPECT_EQ(report.stall->packets, 10U);
  ASSERT_EQ(report.stall->chain.size(), 1U);
  EXPECT_EQ(report.stall->chain[0],
            "s0 -> s1 virtual channel 0 gets no credits: the reverse channel carries nothing");
}

TEST(AStall, IsNotANetworkWithoutTraffic) {
  const topology::Graph graph = line(2, {{k40G}});
  const FirstPath routing(graph);
  Says policy;
  const Report report = run_with(graph, routing, To({0, 1}), policy, 10 * kPacket);
  EXPECT_FALSE(report.stall);
  EXPECT_EQ(report.messages, 0U);
}

// Each host sends two switches ahead at the same time. Every packet has the only buffer of its
// first link and waits for that of the second, which the next host's packet has.
TEST(AStall, ShowsTheCircleOfADeadlock) {
  const topology::Graph graph = Clockwise::ring();
  const Clockwise routing;
  Says policy;
  const Report report = run_with(graph, routing, To({2, 3, 0, 1}), policy, kPacket);
  ASSERT_TRUE(report.stall);
  const std::vector<std::string>& chain = report.stall->chain;
  ASSERT_EQ(chain.size(), 5U);
  EXPECT_EQ(chain[0].find("s0 -> s1 virtual channel 0 has 0"), 0U) << chain[0];
  EXPECT_EQ(chain[1].find("s1 -> s2 virtual channel 0 has 0"), 0U) << chain[1];
  EXPECT_EQ(chain[2].find("s2 -> s3 virtual channel 0 has 0"), 0U) << chain[2];
  EXPECT_EQ(chain[3].find("s3 -> s0 virtual channel 0 has 0"), 0U) << chain[3];
  EXPECT_EQ(chain[4], "and so round again");
  // One in the ring and one behind it, of each host.
  EXPECT_EQ(report.stall->packets, 8U);
}

TEST(ARing, WithoutACircleDoesNotStall) {
  const topology::Graph graph = Clockwise::ring();
  const Clockwise routing;
  Says policy;
  const Report report = run_with(graph, routing, To({2, 1, 0, 3}), policy, kPacket);
  EXPECT_FALSE(report.stall);
  EXPECT_EQ(report.messages, 2'000U);
  EXPECT_EQ(report.messages_unfinished, 0U);
}

// A change of rate that takes longer than a thousand packets is no stall.
TEST(ALongChange, IsNotAStall) {
  const topology::Graph graph = line(1, {{k10G, k40G}});
  const FirstPath routing(graph);
  const To pattern({1, 1});
  const Every injection(10us);
  const traffic::IndependentHosts workload(pattern, injection, 2);
  Says policy = at_start({{policy::ChannelId{2}, policy::SetRateLevel{policy::RateLevel{0}}}});
  // 1000 packets at 10 Gb/s take 1.6 ms.
  const Report report = run({graph,
                             routing,
                             workload,
                             policy,
                             {rates_only({k10G, k40G}, 3ms)},
                             {},
                             tiny_hardware(),
                             {.warm_up = 5ms, .measure = 1ms, .tail_limit = 1ms}});
  EXPECT_FALSE(report.stall);
}

}  // namespace
}  // namespace ebb::netsim
