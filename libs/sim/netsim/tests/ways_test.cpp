// SPDX-License-Identifier: Apache-2.0
//
// What a policy that wants ways is told, and when.
#include "ebb/netsim/ways.hpp"

#include "experiment_parts.hpp"

#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <set>

namespace ebb::netsim {
namespace {

// Notes what it hears, in order.
class Listener final : public policy::Policy {
 public:
  [[nodiscard]] Duration sample_period() const override { return std::chrono::microseconds(10); }
  [[nodiscard]] bool wants_ways() const override { return true; }
  void study(std::span<const policy::Way> ways) override {
    ++studies;
    EXPECT_EQ(samples, 0);
    heard.assign(ways.begin(), ways.end());
  }
  [[nodiscard]] std::vector<policy::Action> decide(const policy::Sample& sample) override {
    ++samples;
    for (const policy::Way& way : heard) {
      for (const policy::ChannelId channel : way.channels) {
        const auto at = find(sample, channel);
        EXPECT_TRUE(at && sample.channels[*at].device == way.device);
        EXPECT_TRUE(at && !sample.channels[*at].to_host);
        named.insert(channel);
      }
    }
    return {};
  }

  int studies = 0;
  int samples = 0;
  std::vector<policy::Way> heard;
  std::set<policy::ChannelId> named;
};

TEST(Ways, ReachThePolicyOnceBeforeTheFirstSampleAndNameTheChannelsOfSamples) {
  const topology::RateLadder rates = {gigabits_per_second(40)};
  const auto graph = topology::build("mesh", {{"hosts", "1"}, {"dims", "3x3"}}, rates).value();
  const auto routing = routing::make_routing("up-down-ways", graph).value();
  const auto ways = ways_of(graph, *routing).value();
  EXPECT_TRUE(policy::check(ways).empty());
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
             .ways = ways});
  EXPECT_EQ(listener.studies, 1);
  EXPECT_GT(listener.samples, 4);
  EXPECT_EQ(listener.heard, ways);
  EXPECT_EQ(listener.named.size(), 24U);  // both directions of the 12 links between switches
}

}  // namespace
}  // namespace ebb::netsim
