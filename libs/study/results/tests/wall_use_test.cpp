// SPDX-License-Identifier: Apache-2.0
//
// What supplies of switches take from the wall: a ledger by hand, and real runs.
#include "ebb/config/simulation.hpp"
#include "ebb/files/parts_file.hpp"
#include "ebb/netsim/report.hpp"
#include "ebb/power/power_supply.hpp"
#include "ebb/results/record.hpp"
#include "ebb/results/summary.hpp"
#include "ebb/topology/graph.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace ebb::results {
namespace {

using namespace std::chrono_literals;
using power::ClassIndex;

// 80 PLUS Platinum.
power::SwitchSupply platinum(Power rated) {
  const std::vector<power::EfficiencyPoint> points = {{Ratio(1, 5), {Ratio(90, 100), 0}},
                                                      {Ratio(1, 2), {Ratio(94, 100), 0}},
                                                      {Ratio(1, 1), {Ratio(91, 100), 0}}};
  return {points, rated, 1};
}

// One switch and two hosts; a link of the chip draws 2.777777 W, and a sixteenth of it when
// slowest.
config::Simulation two_hosts(const std::vector<std::string>& settings = {}) {
  const auto parts = files::read_parts_folder(std::string(EBB_SOURCE_DIR) + "/parts").value();
  const auto file = config::read_sim(
      std::string(EBB_SOURCE_DIR) + "/tests/cli/files/two-hosts.yaml", parts, settings);
  return config::prepare(*file, parts).value();
}

struct Group {
  std::string name;
  std::vector<Power> power;  // by number
};

// Channels of hosts draw 2 W, the outputs of the switch 1 W and 2 W; then come the groups.
netsim::Report drawing(const topology::Graph& graph, const std::vector<Group>& groups) {
  std::vector<power::MeterClass> classes = {{"channel", {"asleep", "changing", "40Gb/s"}}};
  std::vector<power::MeterStart> meters;
  bool first = true;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const bool of_host = graph.is_host(graph.source(topology::ChannelId{i}));
    meters.push_back({.number = i, .power = of_host || !first ? watts(2) : watts(1)});
    first = first && of_host;
  }
  for (const Group& group : groups) {
    const ClassIndex own{static_cast<std::uint8_t>(classes.size())};
    classes.push_back({group.name, {"on"}});
    for (std::uint32_t i = 0; i < group.power.size(); ++i)
      meters.push_back({.number = i, .meter_class = own, .power = group.power[i]});
  }
  power::Ledger ledger(classes, meters, TimePoint(1us));
  ledger.close(TimePoint(3us));
  netsim::Report report{.ledger = ledger};
  report.from = TimePoint(1us);
  report.to = TimePoint(3us);
  report.channels.resize(4);
  return report;
}

// 1 + 2 W of outputs and 0.5 W of logic are 35 % of 10 W: 3.5 / 0.92 W. Cards are fed by hosts.
TEST(WallUse, IsOfOutputsCoreAndComponentsOfASwitch) {
  config::Simulation made = two_hosts();
  made.supply = platinum(watts(10));
  const netsim::Report report = drawing(
      *made.graph,
      {{"switch core", {Power{}}}, {"logic", {milliwatts(500)}}, {"nic", {watts(9), watts(9)}}});
  const Summary summary(made, report);
  ASSERT_TRUE(summary.wall);
  EXPECT_EQ(summary.wall->switches, milliwatts(3'500));
  EXPECT_EQ(summary.wall->wall, microwatts(3'804'348));
  EXPECT_EQ(summary.wall->always_on, microwatts(2 * 2'777'777 + 500'000));
  EXPECT_EQ(summary.wall->wall_always_on, microwatts(6'485'778));
  EXPECT_EQ(summary.wall->differs_by,
            made.supply->mean_differs_by(
                {microwatts(2 * 173'611 + 500'000), milliwatts(3'500), microwatts(6'055'554)}));
  EXPECT_GT(summary.wall->differs_by, Power{});
}

// Two cards of the one switch are numbers 0 and 1; asleep both draw 1 W less, and an output 0.1 W.
TEST(WallUse, AddsThePowerGroupsOfASwitch) {
  config::Simulation made = two_hosts();
  made.models[0].sleep = netsim::ChannelModel::Sleep{milliwatts(100), 1us, {}};
  made.supply = platinum(watts(10));
  made.switch_core = watts(3);
  made.switch_groups = {
      {.name = "card", .ports = 1, .count = 2, .awake = watts(1), .asleep = {}, .wake = 1us}};
  const netsim::Report report = drawing(
      *made.graph, {{"switch core", {watts(1)}}, {"switch card", {watts(1), milliwatts(250)}}});
  const Summary summary(made, report);
  ASSERT_TRUE(summary.wall);
  EXPECT_EQ(summary.wall->switches, milliwatts(3'000 + 1'000 + 1'250));
  EXPECT_EQ(summary.wall->always_on, microwatts(2 * 2'777'777) + watts(3));
  EXPECT_EQ(summary.wall->differs_by,
            made.supply->mean_differs_by(
                {milliwatts(2 * 100 + 1'000), milliwatts(5'250), microwatts(8'555'554)}));
}

TEST(WallUse, IsNotKnownWithoutASupply) {
  const config::Simulation made = two_hosts();
  const netsim::Report report = netsim::run(made.experiment());
  const Summary summary(made, report);
  EXPECT_FALSE(summary.wall);
  EXPECT_EQ(to_json(summary).find("wall"), std::string::npos);
}

// Links that never change draw the same all the time: then the wall power of the mean is exact.
TEST(WallUse, OfARunThatIsAlwaysOnIsExact) {
  config::Simulation made = two_hosts();
  made.supply = platinum(watts(10));
  const netsim::Report report = netsim::run(made.experiment());
  const Summary summary(made, report);
  ASSERT_TRUE(summary.wall);
  EXPECT_EQ(summary.wall->switches, microwatts(2 * 2'777'777));
  EXPECT_EQ(summary.wall->wall, summary.wall->wall_always_on);
  EXPECT_EQ(summary.wall->differs_by, Power{});
  const auto power = nlohmann::json::parse(to_json(summary)).at("power");
  EXPECT_EQ(power.at("switches_W"), to_watts(summary.wall->switches));
  EXPECT_EQ(power.at("switches_always_on_W"), to_watts(summary.wall->always_on));
  EXPECT_EQ(power.at("switches_wall_W"), to_watts(summary.wall->wall));
  EXPECT_EQ(power.at("switches_wall_differs_by_W"), 0);
  EXPECT_EQ(power.at("switches_wall_always_on_W"), to_watts(summary.wall->wall_always_on));
}

TEST(WallUse, IsInTheResultsFile) {
  config::Simulation made = two_hosts();
  made.supply = platinum(watts(10));
  const Record record = record_of(made, netsim::run(made.experiment()), {});
  EXPECT_EQ(record.run.metric("power.switches"), 5.555554);
  EXPECT_EQ(record.run.metric("power.switches_wall"), 5.931197);
  EXPECT_EQ(record.run.metric("power.switches_wall_differs_by"), 0.0);
}

TEST(WallUse, ASupplyMakesAnotherRunOfTheResultsFile) {
  config::Simulation fed = two_hosts();
  fed.supply = platinum(watts(10));
  config::Simulation larger = two_hosts();
  larger.supply = platinum(watts(20));
  EXPECT_NE(run_key(fed, "1").setup, run_key(two_hosts(), "1").setup);
  EXPECT_NE(run_key(fed, "1").setup, run_key(larger, "1").setup);
}

}  // namespace
}  // namespace ebb::results
