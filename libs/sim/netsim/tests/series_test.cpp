// SPDX-License-Identifier: Apache-2.0
//
// What channels did frame by frame, and that looking changes nothing.
#include "experiment_parts.hpp"

#include "ebb/policy/policy.hpp"
#include "ebb/policy/transcript.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"

#include <string>

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;

// h0 sends a packet of 400 ns every 1 us to h1 through one switch, from time 0 on.
Series pair_series(Duration every, Duration measure) {
  const topology::Graph graph = line(1, {{k10G, k40G}});
  const FirstPath routing(graph);
  const To pattern({1, 1});
  const Every injection(1us);
  const traffic::IndependentHosts workload(pattern, injection, 2);
  Says policy;
  ChannelModel model = rates_only({k10G, k40G});
  model.rate_levels[1].power = watts(2);
  Experiment experiment{graph, routing, workload, policy, {model}, {}, tiny_hardware()};
  experiment.schedule = {.warm_up = 0us, .measure = measure};
  experiment.series_every = every;
  return run(experiment).series.value();
}

TEST(ASeries, HasFramesOfTheGivenLengthAndAShorterLastOne) {
  const Series series = pair_series(4us, 10us);
  EXPECT_EQ(series.every, 4us);
  EXPECT_EQ(series.channels, 4U);
  EXPECT_EQ(series.ends, (std::vector<TimePoint>{at(4us), at(8us), at(10us)}));
  ASSERT_EQ(series.busy.size(), 12U);
  // Channel 0 leaves h0 or enters it; its reverse is 1. One of them carries 4, 4 and 2 packets.
  const std::size_t out = series.busy[0] > Duration{} ? 0 : 1;
  EXPECT_EQ(series.busy[out], 1600ns);
  EXPECT_EQ(series.busy[4 + out], 1600ns);
  EXPECT_EQ(series.busy[8 + out], 800ns);
  EXPECT_EQ(series.sent[4 + out], 4 * kPacket);
  EXPECT_EQ(series.energy[4 + out], watts(2) * Duration(4us));
  EXPECT_EQ(series.energy[8 + out], watts(2) * Duration(2us));
  EXPECT_EQ(series.states[out], 3) << "asleep, changing, 10 Gb/s, 40 Gb/s";
  EXPECT_EQ(series.busy[1 - out], Duration{});
}

TEST(ASeries, LongerThanTheRunHasOneFrame) {
  EXPECT_EQ(pair_series(1ms, 10us).ends, std::vector<TimePoint>{at(10us)});
}

struct Outcome {
  Report report;
  std::string transcript;
};

Outcome simulate(const std::string& policy_name, const ParameterTexts& parameters,
                 std::optional<Duration> every, std::uint32_t threads = 1) {
  const topology::RateTable rates = {k10G, k40G};
  const auto graph = topology::build("fbfly", {{"hosts", "3"}, {"dims", "4"}}, rates).value();
  const auto routing = routing::make_routing("minimal-adaptive", graph).value();
  const auto pattern =
      traffic::make_pattern("uniform", {.hosts = graph.host_count()}, {}, 7).value();
  const auto injection =
      traffic::make_injection("poisson", k40G, {{"load", "20%"}, {"size", "9KiB"}}).value();
  const traffic::IndependentHosts workload(*pattern, *injection, graph.host_count());
  const auto made = policy::make_policy(policy_name, parameters).value();
  std::string transcript;
  policy::Recorder recorder({made.name, made.parameters, made.policy->sample_period()},
                            *made.policy, [&](std::string_view line) { transcript += line; });
  ChannelModel model = rates_only(rates);
  model.rate_levels[0].power = watts(1);
  model.rate_levels[1].power = watts(3);
  model.rate_change = 1us;
  model.sleep = ChannelModel::Sleep{milliwatts(1), 700ns};
  Report report = run({.graph = graph,
                       .routing = *routing,
                       .workload = workload,
                       .policy = recorder,
                       .models = {model},
                       .switch_core = watts(3),
                       .hardware = {},
                       .schedule = {.warm_up = 20us, .measure = 100us, .tail_limit = 100us},
                       .seed = 3,
                       .series_every = every,
                       .threads = threads});
  return {std::move(report), std::move(transcript)};
}

class SeriesOf : public testing::TestWithParam<std::pair<std::string, ParameterTexts>> {};

TEST_P(SeriesOf, AddsUpToTheReportAndDisturbsNothing) {
  const auto& [name, parameters] = GetParam();
  const Outcome without = simulate(name, parameters, {});
  const Outcome with = simulate(name, parameters, Duration(7us));
  EXPECT_FALSE(without.report.series);
  EXPECT_EQ(with.transcript, without.transcript);
  EXPECT_EQ(with.report.ledger, without.report.ledger);
  EXPECT_EQ(with.report.channels, without.report.channels);
  EXPECT_EQ(with.report.packet_latency, without.report.packet_latency);
  EXPECT_EQ(with.report.message_latency, without.report.message_latency);
  EXPECT_EQ(with.report.events, without.report.events);

  const Series& series = with.report.series.value();
  ASSERT_EQ(series.ends.size(), 15U);
  std::vector<ChannelUse> sums(series.channels);
  Energy energy;
  for (std::size_t i = 0; i < series.busy.size(); ++i) {
    sums[i % series.channels].busy += series.busy[i];
    sums[i % series.channels].sent += series.sent[i];
    energy += series.energy[i];
  }
  EXPECT_EQ(sums, with.report.channels);
  EXPECT_EQ(energy, channel_energy(with.report.ledger));
}

TEST_P(SeriesOf, IsTheSameOnThreads) {
  const auto& [name, parameters] = GetParam();
  EXPECT_EQ(simulate(name, parameters, Duration(7us), 3).report.series,
            simulate(name, parameters, Duration(7us)).report.series);
}

INSTANTIATE_TEST_SUITE_P(Policies, SeriesOf,
                         testing::Values(std::pair("epoch", ParameterTexts{{"epoch", "5us"}}),
                                         std::pair("on-demand", ParameterTexts{{"idle", "1us"}})));

}  // namespace
}  // namespace ebb::netsim
