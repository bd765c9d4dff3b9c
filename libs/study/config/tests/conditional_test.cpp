// SPDX-License-Identifier: Apache-2.0
//
// What "On the Use of Commodity Ethernet Technology in Exascale HPC Systems" shows in Figure 12, on
// its Dragonfly made small: 72 hosts, groups of 8 with one global link to each other group.
#include "prepared.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ebb::config {
namespace {

const std::string kSim =
    "schema_version: 1\n"
    "topology: {family: dragonfly, p: 2, a: 4, h: 2, rates: [40Gb/s],\n"
    "           floor: {switches_per_rack: 4, rack_pitch: 0m, row_pitch: 0m, in_rack: 7.8m,\n"
    "                   rack_overhead: 39.9m}}\n"
    "routing: minimal\n"
    "traffic: {pattern: uniform, injection: {name: bernoulli, load: 10%, size: 1kB}}\n"
    "policy: always-on\n"
    "parts: {switch: isca10-chip-ideal}\n"
    "hardware: {packet: 1kB, flow_control: pause, input_buffer: 12kB, switch_latency: 200ns,\n"
    "           link_latency: 1ns, delay_per_metre: 5ns}\n"
    "schedule: {warm_up: 200us, measure: 300us, tail_limit: 200us}\n";

Result<Simulation> prepared(const std::vector<std::string>& overrides) {
  return prepared_from(kSim, overrides);
}

struct Measured {
  double latency_us = 0;
  double accepted = 0;  // % of the host links
  bool saturated = false;
};

Measured measure(const std::string& routing, const std::string& pattern, double load,
                 std::vector<std::string> overrides = {}) {
  overrides.push_back("routing=" + routing);
  overrides.push_back("traffic.pattern=" + pattern);
  overrides.push_back(fmt::format("traffic.injection.load={}%", load));
  const auto made = prepared(overrides);
  EXPECT_TRUE(made) << to_string(made.error());
  const netsim::Report report = netsim::run(made->experiment());
  EXPECT_FALSE(report.stall.has_value());
  return {static_cast<double>(report.message_latency.mean().count()) * 1e-6,
          100 * netsim::load(report, report.delivered, made->host_rate, made->sending_hosts),
          netsim::saturated(report)};
}

const std::string kToNextGroup = "group-adversarial";

TEST(ConditionalRules, AreTheDirectWayUnderUniformTraffic) {
  for (const double load : {10.0, 30.0, 50.0}) {
    SCOPED_TRACE(load);
    const Measured direct = measure("minimal", "uniform", load);
    EXPECT_FALSE(direct.saturated);
    EXPECT_NEAR(measure("conditional", "uniform", load).latency_us, direct.latency_us,
                0.05 * direct.latency_us);
  }
}

TEST(Piggyback, TakesSomeDetoursUnderUniformTraffic) {
  const Measured direct = measure("minimal", "uniform", 50);
  EXPECT_GT(measure("piggyback", "uniform", 50).latency_us, 1.01 * direct.latency_us);
}

// One global link for 8 hosts.
TEST(TheDirectWay, CarriesOneGlobalLinkToTheNextGroup) {
  const Measured direct = measure("minimal", kToNextGroup, 30);
  EXPECT_TRUE(direct.saturated);
  EXPECT_NEAR(direct.accepted, 100.0 / 8, 0.1);
}

TEST(ConditionalRules, CarryWhatValiantDoesToTheNextGroup) {
  const Measured rules = measure("conditional", kToNextGroup, 40);
  const Measured valiant = measure("valiant", kToNextGroup, 40);
  EXPECT_FALSE(rules.saturated);
  EXPECT_GT(rules.accepted, 0.95 * valiant.accepted);
}

// The direct way must be full before packets go another: at a low load most of them wait in it.
TEST(ConditionalRules, AreSlowerThanValiantToTheNextGroupAtLowLoad) {
  const Measured valiant = measure("valiant", kToNextGroup, 15);
  EXPECT_GT(measure("conditional", kToNextGroup, 15).latency_us, 1.3 * valiant.latency_us);
}

// UGAL sees only its own queues, and the full one is a switch ahead.
TEST(Piggyback, HearsOfTheFullLinkSoonerThanItsQueuesTell) {
  const std::vector<std::string> larger = {"topology.p=3", "topology.a=6", "topology.h=3",
                                           "topology.floor.switches_per_rack=6"};
  const Measured queues = measure("ugal", kToNextGroup, 15, larger);
  const Measured notified = measure("piggyback", kToNextGroup, 15, larger);
  EXPECT_FALSE(notified.saturated);
  EXPECT_LT(notified.latency_us, 0.8 * queues.latency_us);
}

TEST(ConditionalRules, NeedPauses) {
  const auto made = prepared({"routing=conditional", "hardware.flow_control=credits"});
  ASSERT_FALSE(made);
  EXPECT_NE(to_string(made.error()).find("'conditional' needs 'hardware.flow_control: pause'"),
            std::string::npos);
}

TEST(Pauses, NeedRoomForWhatStillComes) {
  const auto made = prepared({"hardware.input_buffer=9kB"});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().front().where.path, "hardware.input_buffer");
}

TEST(Pauses, AreInTheResolvedFile) {
  const auto file =
      read_sim_text(kSim, "sim.yaml", library(),
                    std::vector<std::string>{"hardware.xoff=3kB", "hardware.xon=1kB"});
  ASSERT_TRUE(file);
  const auto again = read_sim_text(resolved_text(file->spec), "again.yaml", library());
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(again->spec, file->spec);
  EXPECT_EQ(again->spec.hardware.xoff, bytes(3000));
}

}  // namespace
}  // namespace ebb::config
