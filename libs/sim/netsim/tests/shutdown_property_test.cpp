// SPDX-License-Identifier: Apache-2.0
//
// Whatever the network and the traffic: after the decisions of all switches, each by itself, every
// packet still arrives over channels that are open, and there is no channel-dependency cycle.
#include "ebb/core/random.hpp"
#include "ebb/netsim/experiment.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/routing/analysis.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ebb::netsim {
namespace {

using routing::Candidate;
using routing::Candidates;
using routing::RouteState;
using topology::ChannelId;
using topology::Graph;
using topology::NodeId;

constexpr int kNetworks = 1200;
constexpr int kDecisions = 3;  // on each, with new traffic

topology::Graph network(std::uint64_t seed, RandomStream& random) {
  const auto text = [](std::uint64_t number) { return std::to_string(number); };
  return topology::build("irregular",
                         {{"switches", text(4 + random.below(21))},
                          {"degree", text(2 + random.below(4))},
                          {"hosts", text(1 + random.below(2))},
                          {"seed", text(seed)}},
                         {gigabits_per_second(40)})
      .value();
}

// In percent.
std::uint64_t utilisation(std::uint64_t kind, RandomStream& random) {
  switch (kind) {
    case 0:
      return 0;
    case 1:
      return 100;
    case 2:  // sparse
      return random.below(8) == 0 ? random.below(101) : 0;
    case 3:  // low: near the thresholds of destinations
      return random.below(30);
    default:
      return random.below(101);
  }
}

// All channels, as switches see them.
class Channels {
 public:
  explicit Channels(const Graph& graph) {
    for (std::uint32_t which = 0; which < graph.channel_count(); ++which) {
      policy::ChannelSample sample{.id = policy::ChannelId{which},
                                   .reverse = policy::ChannelId{which ^ 1U},
                                   .device = index(graph.source(ChannelId{which})),
                                   .to_host = graph.is_host(graph.target(ChannelId{which}))};
      sample.window = std::chrono::microseconds(100);
      samples_.push_back(sample);
    }
  }

  void load(std::uint64_t kind, RandomStream& random) {
    for (policy::ChannelSample& sample : samples_) {
      const bool asleep = sample.state.mode == policy::Mode::asleep;
      sample.busy =
          sample.window / 100 * (asleep ? 0 : static_cast<std::int64_t>(utilisation(kind, random)));
    }
  }

  // At once, and nothing refused.
  void apply(const std::vector<policy::Action>& actions) {
    for (const policy::Action& action : actions) {
      policy::Mode& mode = samples_[index(action.channel)].state.mode;
      if (std::holds_alternative<policy::Sleep>(action.order)) mode = policy::Mode::asleep;
      if (std::holds_alternative<policy::Wake>(action.order)) mode = policy::Mode::active;
    }
  }

  [[nodiscard]] bool is_open(std::uint32_t which) const {
    return samples_[which].state.mode == policy::Mode::active;
  }
  [[nodiscard]] policy::Sample sample() const { return {TimePoint(), samples_}; }
  [[nodiscard]] std::int64_t closed() const {
    return std::count_if(samples_.begin(), samples_.end(), [](const auto& sample) {
      return sample.state.mode == policy::Mode::asleep;
    });
  }

 private:
  std::vector<policy::ChannelSample> samples_;
};

// The same routing with what is open.
class OpenOnly final : public routing::Routing {
 public:
  OpenOnly(const routing::Routing& all, const Channels& channels)
      : all_(all), channels_(channels) {}

  [[nodiscard]] int virtual_channels() const override { return all_.virtual_channels(); }
  [[nodiscard]] std::vector<RouteState> all_starts(NodeId source, NodeId to) const override {
    return all_.all_starts(source, to);
  }
  void candidates(NodeId at, NodeId to, RouteState state, Candidates& out) const override {
    Candidates outputs;
    all_.candidates(at, to, state, outputs);
    out.clear();
    for (const Candidate& one : outputs) {
      if (channels_.is_open(index(one.channel))) out.push(one);
    }
  }
  [[nodiscard]] RouteState advance(NodeId at, const Candidate& taken,
                                   RouteState state) const override {
    return all_.advance(at, taken, state);
  }
  [[nodiscard]] int remaining_hops(NodeId at, NodeId to, RouteState state) const override {
    return all_.remaining_hops(at, to, state);
  }
  [[nodiscard]] std::size_t memory_bytes() const override { return 0; }

 private:
  const routing::Routing& all_;
  const Channels& channels_;
};

// Follows packets to one host over open channels, from wherever they can be when links are closed.
class Walk {
 public:
  Walk(const Graph& graph, const routing::Routing& all, const routing::Routing& open, NodeId to)
      : graph_(graph), all_(all), open_(open), to_(to) {}

  // Every place that a packet can have come to by any channel.
  [[nodiscard]] bool arrives_from_everywhere(NodeId at, RouteState state) {
    if (!met_.try_emplace({at, state.phase}, true).second) return true;
    if (!arrives(at, state)) return false;
    Candidates outputs;
    all_.candidates(at, to_, state, outputs);
    return std::all_of(outputs.begin(), outputs.end(), [&](const Candidate& one) {
      const NodeId next = graph_.target(one.channel);
      return next == to_ || arrives_from_everywhere(next, all_.advance(at, one, state));
    });
  }

 private:
  // By whatever open channel is taken.
  [[nodiscard]] bool arrives(NodeId at, RouteState state) {
    if (const auto known = arrives_.find({at, state.phase}); known != arrives_.end())
      return known->second;
    Candidates outputs;
    open_.candidates(at, to_, state, outputs);
    const bool all = std::all_of(outputs.begin(), outputs.end(), [&](const Candidate& one) {
      const NodeId next = graph_.target(one.channel);
      return next == to_ || arrives(next, open_.advance(at, one, state));
    });
    return arrives_[{at, state.phase}] = all && !outputs.empty();
  }

  const Graph& graph_;
  const routing::Routing& all_;
  const routing::Routing& open_;
  NodeId to_;
  std::map<std::pair<NodeId, int>, bool> met_;
  std::map<std::pair<NodeId, int>, bool> arrives_;
};

void every_row_keeps_a_channel(const std::vector<policy::NextHopSet>& next_hops,
                               const Channels& channels) {
  for (const policy::NextHopSet& way : next_hops) {
    ASSERT_TRUE(std::any_of(way.channels.begin(), way.channels.end(),
                            [&](policy::ChannelId id) { return channels.is_open(index(id)); }))
        << "switch " << way.device << " cannot reach " << way.destination;
  }
}

void every_packet_arrives(const Graph& graph, const routing::Routing& all,
                          const routing::Routing& open) {
  for (std::uint32_t d = 0; d < graph.host_count(); ++d) {
    Walk walk(graph, all, open, graph.host_node(d));
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s)
      ASSERT_TRUE(walk.arrives_from_everywhere(NodeId{s}, {})) << "from s" << s << " to h" << d;
  }
}

void no_packets_wait_in_a_circle(const Graph& graph, const routing::Routing& open) {
  const auto report = routing::find_deadlock(graph, open);
  ASSERT_TRUE(report) << to_string(report.error());
  ASSERT_TRUE(report->cycle.empty()) << cycle_text(graph, report->cycle);
}

struct Counts {
  std::int64_t networks = 0;
  std::int64_t closed_when_idle = 0;
  std::int64_t between_switches = 0;  // channels, of the networks that were idle
};

void decide_and_check(std::uint64_t seed, Counts& counts) {
  RandomStream random(seed, "shutdown");
  const Graph graph = network(seed, random);
  const auto routing = routing::make_routing("up-down-nonminimal", graph).value();
  const auto next_hops = next_hops_of(graph, *routing).value();
  const auto made = policy::make_policy("shutdown", {}).value();
  made.policy->set_next_hops(next_hops);
  Channels channels(graph);
  for (int i = 0; i < kDecisions; ++i) {
    const std::uint64_t kind = i == 0 ? seed % 5 : random.below(5);
    channels.load(kind, random);
    channels.apply(made.policy->decide(channels.sample()));
    const OpenOnly open(*routing, channels);
    every_row_keeps_a_channel(next_hops, channels);
    every_packet_arrives(graph, *routing, open);
    no_packets_wait_in_a_circle(graph, open);
    if (testing::Test::HasFatalFailure()) return;
    if (i > 0 || kind > 0) continue;
    counts.closed_when_idle += channels.closed();
    counts.between_switches += graph.channel_count() - 2 * std::int64_t{graph.host_count()};
  }
  ++counts.networks;
}

TEST(Shutdown, EveryPacketArrivesOnEveryNetworkUnderAnyTraffic) {
  Counts counts;
  for (std::uint64_t seed = 0; seed < kNetworks; ++seed) {
    SCOPED_TRACE(fmt::format("network {}", seed));
    decide_and_check(seed, counts);
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(counts.networks, kNetworks);
  // It would be easy to close nothing.
  EXPECT_GT(4 * counts.closed_when_idle, counts.between_switches);
  RecordProperty("closed_when_idle", static_cast<int>(counts.closed_when_idle));
  RecordProperty("between_switches", static_cast<int>(counts.between_switches));
}

}  // namespace
}  // namespace ebb::netsim
