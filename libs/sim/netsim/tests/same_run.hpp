// SPDX-License-Identifier: Apache-2.0
//
// Runs to be made twice, with the work divided in another way, and compared bit for bit.
#pragma once

#include "card_groups.hpp"

#include "ebb/netsim/experiment.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/policy/transcript.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/traffic/host_source.hpp"
#include "ebb/traffic/workload_kind.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ebb::netsim::same_run {

using namespace std::chrono_literals;

struct Case {
  std::string name;
  std::string family;
  ParameterTexts parameters;
  std::string routing;
  std::string policy;
  ParameterTexts policy_parameters;
  DataSize output_buffer;
  std::string workload = "";  // none: by pattern, poisson
  std::string pattern = "uniform";
  std::uint32_t hosts_per_group = 0;
  bool pauses = false;
  bool sleeps = true;  // its channels can
};

inline void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

// GoogleTest takes letters, digits and underscores.
inline std::string name_of(const testing::TestParamInfo<Case>& test) {
  std::string name = test.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

inline ChannelModel channel_model(const topology::RateTable& rates, bool sleeps) {
  ChannelModel model;
  for (const DataRate rate : rates) {
    model.rate_levels.push_back({rate, 1, microwatts(rate.count() / 40'000)});
  }
  model.rate_change = 1us;
  model.lane_change = 1us;
  if (sleeps) model.sleep = ChannelModel::Sleep{microwatts(100), 700ns};
  return model;
}

struct Outcome {
  Report report;
  std::string transcript;
};

// Search with so many small answers that short runs have enough of them.
inline std::unique_ptr<const traffic::Workload> service(const std::string& name,
                                                        const topology::Graph& graph,
                                                        DataRate rate) {
  return traffic::make_workload(
             name, {.hosts = graph.hosts_of_plane()}, rate,
             {{"load", "50%"}, {"reads", "10%"}, {"writes", "20%"}, {"answer", "4kB"}})
      .value();
}

// A recorder is a policy that must see all channels; without one, policies that decide link by link
// are divided among partitions.
enum class Policies { recorded, divided };

inline Outcome simulate(const Case& one, std::uint32_t threads,
                        mpi::Communicator& communicator = mpi::serial_communicator(),
                        Policies policies = Policies::recorded) {
  const topology::RateTable rates = {gigabits_per_second(10), gigabits_per_second(20),
                                     gigabits_per_second(40)};
  const auto graph = topology::build(one.family, one.parameters, rates).value();
  const auto routing = routing::make_routing(one.routing, graph).value();
  const auto pattern =
      traffic::make_pattern(
          one.pattern, {.hosts = graph.hosts_of_plane(), .hosts_per_group = one.hosts_per_group},
          {}, 7)
          .value();
  const auto injection =
      traffic::make_injection("poisson", rates.back(), {{"load", "30%"}, {"size", "9KiB"}}).value();
  const traffic::IndependentHosts by_itself(*pattern, *injection, graph.hosts_of_plane());
  const auto named = one.workload.empty() ? nullptr : service(one.workload, graph, rates.back());
  const traffic::Workload& plain = by_itself;
  const traffic::Workload& workload = named ? *named : plain;
  const auto made = policy::make_policy(one.policy, one.policy_parameters).value();
  std::string transcript;
  policy::Recorder recorder({made.name, made.parameters, made.policy->sample_period()},
                            *made.policy, [&](std::string_view line) { transcript += line; });
  Hardware hardware;
  hardware.input_buffer = bytes(8 * 1024);
  hardware.output_buffer = one.output_buffer;
  if (one.pauses) {
    hardware.flow_control = FlowControl::pause;
    hardware.input_buffer = bytes(16 * 1024);
  }
  const auto next_hops = recorder.needs_next_hops() ? next_hops_of(graph, *routing).value()
                                                    : std::vector<policy::NextHopSet>{};
  Report report =
      run({.graph = graph,
           .routing = *routing,
           .workload = workload,
           .policy = policies == Policies::recorded ? static_cast<policy::Policy&>(recorder)
                                                    : *made.policy,
           .models = {channel_model(rates, one.sleeps)},
           .switch_core = watts(3),
           .hardware = hardware,
           .schedule = {.warm_up = 20us, .measure = 60us, .tail_limit = 100us},
           .seed = 3,
           .next_hops = next_hops,
           .threads = threads,
           .communicator = communicator,
           .switch_groups = one.sleeps ? cards_after_chip(graph) : std::vector<SwitchGroup>{}});
  return {std::move(report), std::move(transcript)};
}

inline void expect_same(const Report& a, const Report& b) {
  EXPECT_EQ(a.offered, b.offered);
  EXPECT_EQ(a.messages, b.messages);
  EXPECT_EQ(a.messages_unfinished, b.messages_unfinished);
  EXPECT_EQ(a.packets_unfinished, b.packets_unfinished);
  EXPECT_EQ(a.delivered, b.delivered);
  EXPECT_TRUE(a.message_latency == b.message_latency);
  EXPECT_TRUE(a.packet_latency == b.packet_latency);
  EXPECT_TRUE(a.ledger == b.ledger);
  EXPECT_TRUE(a.channels == b.channels);
  EXPECT_TRUE(a.always_on == b.always_on);
  EXPECT_TRUE(a.ideal == b.ideal);
  EXPECT_EQ(a.outcomes_done, b.outcomes_done);
  EXPECT_EQ(a.outcomes_refused, b.outcomes_refused);
  EXPECT_EQ(a.packet_hops, b.packet_hops);
}

inline void expect_same(const Outcome& one, const Outcome& other) {
  EXPECT_TRUE(one.transcript == other.transcript);
  expect_same(one.report, other.report);
}

inline const Case kFbfly{.name = "fbfly",
                         .family = "fbfly",
                         .parameters = {{"hosts", "3"}, {"dims", "4x4"}, {"parallel", "2"}},
                         .routing = "minimal-adaptive",
                         .policy = "epoch",
                         .policy_parameters = {{"epoch", "5us"}, {"channels", "independent"}},
                         .output_buffer = {}};

inline Case with_sleep(Case one) {
  one.name += "_sleep";
  one.policy = "on-demand";
  one.policy_parameters = {{"idle", "500ns"}, {"period", "10us"}};
  return one;
}

inline Case buffered(Case one) {
  one.name += "_buffered";
  one.output_buffer = bytes(4 * 1024);
  return one;
}

inline Case with_search(Case one) {
  one.name += "_search";
  one.workload = "search";
  return one;
}

inline Case on(std::string name, ParameterTexts parameters, std::string routing) {
  Case one = kFbfly;
  one.name = name;
  one.family = std::move(name);
  one.parameters = std::move(parameters);
  one.routing = std::move(routing);
  return one;
}

inline const Case kClos = on("clos", {{"levels", "3"}, {"ports", "6"}, {"hosts", "54"}}, "up-down");
// Hosts with an interface on each of two switches.
inline const Case kRailClos =
    on("rail-clos", {{"ports", "8"}, {"pods", "2"}, {"servers", "4"}, {"gpus", "2"}, {"tors", "2"}},
       "up-down");
inline const Case kDragonfly = on("dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}}, "ugal");
inline const Case kIrregular =
    on("irregular", {{"switches", "12"}, {"hosts", "2"}, {"degree", "4"}}, "shortest-path");

inline Case in_planes(Case one) {
  one.name += "_planes";
  one.parameters.emplace_back("planes", "3");
  return one;
}

// Planes that sleep as long as the others can do without them.
inline Case with_stages(Case one) {
  one.name += "_stages";
  one.policy = "stages";
  one.policy_parameters = {{"period", "10us"}, {"high", "10%"}, {"low", "5%"}};
  return one;
}

inline Case with_shutdown(Case one) {
  one.name += "_shutdown";
  one.routing = "up-down-nonminimal";
  one.policy = "dvs-shutdown";
  one.policy_parameters = {{"window", "5us"}};
  return one;
}

// Every host to the next group, by detours around the one global link between them.
inline Case adversarial(std::string routing, bool pauses) {
  Case one = kDragonfly;
  one.name += "_" + routing + (pauses ? "_pause" : "");
  one.routing = std::move(routing);
  one.pattern = "group-adversarial";
  one.hosts_per_group = 8;
  one.pauses = pauses;
  return one;
}

// Policies that decide link by link.
inline Case under(std::string name, std::string policy, ParameterTexts parameters) {
  Case one = kFbfly;
  one.name = std::move(name);
  one.policy = std::move(policy);
  one.policy_parameters = std::move(parameters);
  return one;
}

inline std::vector<Case> link_by_link() {
  Case slow = under("on_demand_slowest", "on-demand",
                    {{"low_power_state", "slowest"}, {"idle", "500ns"}, {"period", "10us"}});
  slow.sleeps = false;
  return {under("always_on", "always-on", {{"period", "10us"}}),
          under("always_slowest", "always-slowest", {{"period", "10us"}}),
          under("epoch_paired", "epoch", {{"epoch", "5us"}}),
          under("epoch_staggered", "epoch", {{"epoch", "8us"}, {"stagger", "4"}, {"bits", "8"}}),
          under("wake_ahead", "wake-ahead", {{"idle", "500ns"}, {"period", "10us"}}),
          under("scheduled", "scheduled", {{"idle", "500ns"}, {"period", "10us"}}),
          under("periodic", "periodic", {{"quiet", "5us"}, {"ahead", "2us"}, {"period", "2us"}}),
          under("perf_bound", "perf-bound", {{"period", "5us"}}),
          with_sleep(kClos),
          with_sleep(kDragonfly),
          under("history", "history", {{"period", "5us"}}),
          under("dvs", "dvs", {{"window", "5us"}}),
          slow};
}

// A rate policy and sleep on each.
inline std::vector<Case> cases() {
  return {kFbfly,
          with_sleep(kFbfly),
          buffered(kFbfly),
          with_search(kFbfly),
          kClos,
          with_sleep(kClos),
          with_sleep(in_planes(kClos)),
          with_stages(in_planes(kDragonfly)),
          with_sleep(kRailClos),
          kDragonfly,
          with_sleep(kDragonfly),
          with_search(with_sleep(kDragonfly)),
          kIrregular,
          buffered(with_sleep(kIrregular)),
          with_shutdown(kIrregular),
          adversarial("conditional", true),
          with_sleep(adversarial("conditional", true)),
          buffered(adversarial("conditional", true)),
          adversarial("piggyback", true),
          adversarial("piggyback", false),
          with_sleep(adversarial("piggyback", true))};
}

}  // namespace ebb::netsim::same_run
