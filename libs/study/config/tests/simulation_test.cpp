// SPDX-License-Identifier: Apache-2.0
#include "ebb/config/simulation.hpp"

#include "prepared.hpp"

#include "ebb/files/transcript_file.hpp"
#include "ebb/policy/transcript.hpp"
#include "ebb/power/model.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::config {
namespace {

const std::string kSim =
    "schema_version: 1\n"
    "topology: {family: fbfly, hosts: 3, dims: 4x3}\n"
    "routing: minimal-adaptive\n"
    "traffic: {pattern: transpose, injection: {name: poisson, load: 23%, size: 2KiB}}\n"
    "policy: always-on\n"
    "parts: {switch: isca10-chip, rate_table: ideal-link}\n"
    "seed: 5\n";

Result<Simulation> prepared(const std::vector<std::string>& overrides) {
  return prepared_from(kSim, overrides);
}

std::string errors_of(const std::vector<std::string>& overrides) {
  const auto made = prepared(overrides);
  return made ? "accepted" : to_string(made.error());
}

TEST(Simulation, OwnsWhatTheExperimentNames) {
  const auto made = prepared({});
  ASSERT_TRUE(made) << to_string(made.error());
  const netsim::Experiment experiment = made->experiment();
  EXPECT_EQ(experiment.graph.host_count(), 36U);
  EXPECT_EQ(made->host_rate, gigabits_per_second(40));
  EXPECT_EQ(made->sending_hosts, 30U) << "the diagonal of a 6 x 6 transposition is silent";
  EXPECT_EQ(experiment.workload.hosts(), 36U);
  EXPECT_EQ(experiment.routing.virtual_channels(), 2);
  EXPECT_EQ(experiment.policy.sample_period(), Duration(std::chrono::milliseconds(1)));
  EXPECT_EQ(experiment.seed, 5U);
  const auto chip = library().find_as<power::Chip>("isca10-chip");
  ASSERT_EQ(experiment.models.size(), 1U);
  EXPECT_EQ(experiment.models[0].rate_levels.size(), 5U);
  EXPECT_EQ(experiment.models[0].rate_levels.back().power, power::link_power(**chip));
  EXPECT_EQ(experiment.switch_core, power::core_power(**chip));
}

// 225 W of the chip are in the links of 64 ports of 800 Gb/s or of 128 of 400 Gb/s.
TEST(Simulation, BreaksThePortsOfAChipOutByTheRateTable) {
  const auto whole =
      prepared({"parts={switch: broadcom-tomahawk-5, rate_table: ethernet-800g-link}"});
  ASSERT_TRUE(whole) << to_string(whole.error());
  EXPECT_EQ(whole->host_rate, gigabits_per_second(800));
  EXPECT_EQ(whole->models[0].rate_levels.back().power, microwatts(225'000'000 / 64));
  const auto half =
      prepared({"parts={switch: broadcom-tomahawk-5, rate_table: ethernet-400g-link}"});
  ASSERT_TRUE(half) << to_string(half.error());
  EXPECT_EQ(half->host_rate, gigabits_per_second(400));
  EXPECT_EQ(half->models[0].rate_levels.back().power, microwatts(225'000'000 / 128));
  EXPECT_EQ(half->switch_core, watts(225));
}

// The box draws 913 W, of which its chip's links draw 225 W.
TEST(Simulation, TakesABoxThatNamesItsChip) {
  const auto box = prepared({"parts={switch: ufispace-s9321-64e, rate_table: ethernet-400g-link}"});
  ASSERT_TRUE(box) << to_string(box.error());
  EXPECT_EQ(box->models[0].rate_levels.back().power, microwatts(225'000'000 / 128));
  EXPECT_EQ(box->switch_core, watts(913 - 225));
}

// Also where lanes change, for which this rate table has a time of its own.
TEST(Simulation, ARateChangeOfTheFileTakesThePlaceOfTheRateTablesTimes) {
  const std::vector<std::string> rate_table = {"parts.rate_table=infiniband-link"};
  const auto own = prepared(rate_table);
  ASSERT_TRUE(own) << to_string(own.error());
  EXPECT_EQ(own->models[0].rate_change, Duration(std::chrono::nanoseconds(100)));
  EXPECT_EQ(own->models[0].lane_change, Duration(std::chrono::microseconds(3)));
  const auto other = prepared({rate_table[0], "parts.rate_change=10us"});
  ASSERT_TRUE(other) << to_string(other.error());
  EXPECT_EQ(other->models[0].rate_change, Duration(std::chrono::microseconds(10)));
  EXPECT_EQ(other->models[0].lane_change, Duration(std::chrono::microseconds(10)));
  EXPECT_EQ(other->models[0].rate_levels, own->models[0].rate_levels);
}

TEST(Simulation, WhatDoesNotFitIsReportedAtItsKey) {
  EXPECT_EQ(
      errors_of({"topology.dims=4x2"}),
      "sim.yaml:4:20: error: transpose needs a square number of hosts, not 24; the nearest is 25 "
      "(at traffic.pattern)\n");
  EXPECT_EQ(errors_of({"routing=up-down", "traffic.pattern=bit-reversal"}),
            "--set: error: routing 'up-down' is for clos, clos_chassis, rail-clos, not for fbfly "
            "(at routing)\n"
            "--set: error: bit-reversal needs a power of two of hosts, not 36; the nearest is 32 "
            "(at traffic.pattern)\n");
  EXPECT_EQ(errors_of({"topology.rates=[11Gb/s]"}),
            "--set: error: the rate table has no step of 11Gb/s (at topology.rates)\n");
  EXPECT_EQ(errors_of({"topology={graph: no-such.yaml}"}),
            "--set: error: no-such.yaml: no such file (at topology.graph)\n");
  EXPECT_EQ(errors_of({"topology={family: complete, switches: 1, hosts: 1}"}),
            "--set: error: traffic needs two hosts or more, got 1 (at topology)\n");
}

// Known at once, without looking at a single packet.
TEST(Simulation, APolicyThatNeedsAllWaysIsRefusedOnNetworksWithTooMany) {
  EXPECT_EQ(
      errors_of({"policy=shutdown", "topology.hosts=16", "topology.dims=32x32"}),
      "--set: error: 'shutdown' needs the next-hop sets of the routing: more than 10000000 states "
      "of packets: too many to follow; try a smaller shape of the same kind (at policy)\n");
  const auto made = prepared({"policy=shutdown", "parts.rate_table=ideal-sleep-link"});
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_FALSE(made->experiment().next_hops.empty());
  EXPECT_TRUE(prepared({})->next_hops.empty());
}

std::string written(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + name;
  std::ofstream(path) << text;
  return path;
}

// Reading what it resolves to gives the same simulation.
TEST(Simulation, KnowsOfLinksThatHaveFailed) {
  const auto made = prepared({"routing=tables", "failed_links=[s0-s1, s4-s8]", "policy=epoch"});
  ASSERT_TRUE(made) << to_string(made.error());
  const std::string resolved = resolved_text(made->spec);
  EXPECT_NE(resolved.find("failed_links: [\"s0-s1\", \"s4-s8\"]\n"), std::string::npos) << resolved;
  const auto again = prepared_from(resolved, {});
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(again->spec.failed_links, made->spec.failed_links);
}

TEST(Simulation, HostsOfOneInjectionHaveOneRate) {
  const std::string path = written("two-rates.yaml",
                                   "schema_version: 1\n"
                                   "switches: 1\n"
                                   "hosts: 2\n"
                                   "rate_tables: [[10Gb/s], [40Gb/s]]\n"
                                   "links: [{a: s0, b: h0}, {a: s0, b: h1, rate_table: 1}]\n");
  EXPECT_EQ(errors_of({"topology={graph: " + path + "}", "routing=shortest-path",
                       "traffic.pattern=uniform"}),
            "--set: error: hosts send at 10Gb/s and at 40Gb/s; a simulation needs one rate for all "
            "(at topology)\n");
}

TEST(Simulation, MistakesInsideAGraphFileKeepTheirPlaces) {
  const std::string path = written("no-links.yaml", "schema_version: 1\nswitches: 1\nhosts: 2\n");
  const std::string errors = errors_of({"topology={graph: " + path + "}"});
  EXPECT_EQ(errors.rfind(path + ":1:1: error: ", 0), 0U) << errors;
}

TEST(Simulation, ASeriesMustFit) {
  // 12 switches with 3 hosts each: 36 links to hosts, 30 between switches.
  EXPECT_EQ(errors_of({"series.every=30ns"}),
            "--set: error: 33334 frames of 132 channels are more than the 4000000 values of the "
            "largest series; make it 33.001ns or longer, or measure for a shorter time (at "
            "series.every)\n");
  const auto made = prepared({"series.every=33.001ns", "per_channel=true"});
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(made->experiment().series_every, Duration(33'001));
  const std::string resolved = resolved_text(made->spec);
  EXPECT_NE(resolved.find("series: {every: 33.001ns}\nper_channel: true\n"), std::string::npos);
  EXPECT_EQ(read_sim_text(resolved, "again", library())->spec, made->spec);
}

// What was simulated is what would be run: the policy decides the same again from its transcript.
TEST(Simulation, ItsTranscriptReplaysToTheSameActions) {
  for (const char* policy :
       {"policy={name: epoch, epoch: 5us}", "policy={name: on-demand, idle: 1us}",
        "policy={name: dvs-shutdown, window: 5us}"}) {
    const auto made = prepared(
        {policy, "schedule={warm_up: 0s, measure: 50us}", "parts.rate_table=ideal-sleep-link"});
    ASSERT_TRUE(made) << to_string(made.error());
    std::string text;
    policy::Recorder recorder(
        {made->policy.name, made->policy.parameters, made->policy.policy->sample_period()},
        *made->policy.policy, [&](std::string_view line) { text += line; });
    const auto report = netsim::run(made->experiment(recorder));
    EXPECT_TRUE(report.ledger.check().empty());
    const auto transcript = files::read_transcript_text(text, "transcript");
    ASSERT_TRUE(transcript) << to_string(transcript.error());
    EXPECT_GT(transcript->records.size(), 2U);
    const auto replayed = policy::replay(*transcript);
    ASSERT_TRUE(replayed) << to_string(replayed.error());
    EXPECT_TRUE(replayed->equal()) << policy;
  }
}

// At 40 Gb/s the longest message of 30 MB takes 6 ms, and ten mean residuals of 5.452 MB take
// 10.9 ms, rounded up to 11 ms. Messages of 2 KiB need no more than the defaults.
TEST(Simulation, AScheduleThatTheFileLeavesOutIsLongEnoughForTheMessages) {
  using std::chrono::milliseconds;
  const std::string flows = "traffic.injection={name: flows, load: 10%, sizes: websearch}";
  const auto search = prepared({flows});
  ASSERT_TRUE(search) << to_string(search.error());
  EXPECT_EQ(search->spec.schedule,
            (netsim::Schedule{{}, milliseconds(22), milliseconds(11), milliseconds(11)}));
  const auto given = prepared({flows, "schedule.measure=1ms"});
  ASSERT_TRUE(given) << to_string(given.error());
  EXPECT_EQ(given->spec.schedule.measure, Duration(milliseconds(1)));
  const auto small = prepared({});
  ASSERT_TRUE(small) << to_string(small.error());
  EXPECT_EQ(small->spec.schedule, netsim::Schedule{});
  EXPECT_NE(resolved_text(small->spec).find("measure: 1ms"), std::string::npos);
  const auto mining = prepared({"traffic.injection={name: flows, load: 10%, sizes: data-mining}"});
  ASSERT_TRUE(mining) << to_string(mining.error());
  EXPECT_EQ(mining->spec.schedule.measure, Duration(milliseconds(100))) << "the longest";
}

// ideal-link has five rates and no sleep; the routing has one tier; eee-10gbase-t has one rate.
TEST(Simulation, RefusesAPolicyThatCanChangeNothing) {
  EXPECT_EQ(errors_of({"policy=on-demand"}),
            "--set: error: 'on-demand' can change nothing here: it lets channels sleep by "
            "themselves when they are idle, but 'ideal-link' has no sleep state; rate tables of "
            "40Gb/s with one: ideal-sleep-link (at policy)\n");
  const auto refuses = [](const std::vector<std::string>& overrides, const char* why) {
    const std::string errors = errors_of(overrides);
    EXPECT_NE(errors.find(why), std::string::npos) << why << " in\n" << errors;
  };
  refuses({"policy=stages"}, "'ideal-link' has no sleep state");
  refuses({"policy=stages", "parts.rate_table=ideal-sleep-link"},
          "all channels are of tier 0; routings of this network with other tiers: sparse-mesh, "
          "sparse-torus, sparse-mesh-torus, sparse-star");
  refuses({"policy=epoch", "topology.rates=[40Gb/s]"},
          "every link has one rate; 'ideal-link' has 5 of them, leave out 'topology.rates'");
  refuses({"policy=dvs-shutdown", "topology.rates=[40Gb/s]"},
          "has no sleep state; rate tables of 40Gb/s with one: ideal-sleep-link; it changes");
}

TEST(Simulation, RefusesWhatFlowsDoNotHave) {
  EXPECT_EQ(errors_of({"fidelity=flow", "hardware.virtual_lanes=[{weight: 1}, {weight: 2}]"}),
            "--set: error: not with 'fidelity: flow': flows of all lanes share channels alike (at "
            "hardware.virtual_lanes)\n");
  const std::string errors = errors_of({"fidelity=flow", "hardware.gated_buffers=true"});
  EXPECT_NE(errors.find("it does not know when buffers are empty"), std::string::npos) << errors;
}

// One that is not in the registry, under a name of its own.
TEST(Simulation, TakesThePolicyOfTheCaller) {
  const auto file = read_sim_text(kSim, "sim.yaml", library());
  ASSERT_TRUE(file) << to_string(file.error());
  const auto with = [&](const char* name) {
    auto policy = policy::make_policy(name, {});
    policy->name = "mine";
    policy->parameters = {{"colour", "green"}};
    return prepare(*file, library(), nullptr, std::move(*policy));
  };
  const auto made = with("epoch");
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(made->experiment().policy.sample_period(), Duration(std::chrono::microseconds(10)));
  EXPECT_EQ(made->policy.name, "mine");
  EXPECT_NE(resolved_text(made->spec).find("policy: {name: mine, colour: green}"),
            std::string::npos)
      << resolved_text(made->spec);
  const auto refused = with("on-demand");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().front().message.find("'mine' can change nothing here"), 0U)
      << to_string(refused.error());
}

TEST(Simulation, TakesAPolicyThatOneChannelCanFollow) {
  for (const std::vector<std::string>& overrides : std::vector<std::vector<std::string>>{
           {"policy=always-on", "topology.rates=[40Gb/s]"},
           {"policy={name: on-demand, low_power_state: slowest}"},
           {"policy=on-demand", "parts.rate_table=ideal-sleep-link"},
           {"policy=stages", "parts.rate_table=ideal-sleep-link", "routing=sparse-mesh"},
           {"policy=dvs-shutdown"}}) {
    EXPECT_EQ(errors_of(overrides), "accepted") << overrides.front();
  }
}

TEST(Simulation, MakesAWorkloadOfAllHosts) {
  const auto made = prepared({"traffic={workload: advert}"});
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(made->sending_hosts, 36U);
  EXPECT_EQ(made->experiment().workload.hosts(), 36U);
  EXPECT_EQ(made->pattern, nullptr);
}

TEST(Simulation, RefusesAWorkloadThatDoesNotFit) {
  EXPECT_NE(errors_of({"traffic={workload: search}", "topology.hosts=1", "topology.dims=3"})
                .find("a service needs 8 hosts or more to give out its parts, got 3"),
            std::string::npos);
  const std::string long_run =
      errors_of({"traffic={workload: search, load: 100%}", "schedule={measure: 10min}"});
  EXPECT_NE(long_run.find("are too many to keep in memory"), std::string::npos) << long_run;
}

}  // namespace
}  // namespace ebb::config
