// SPDX-License-Identifier: Apache-2.0
//
// Summaries of reports that a sound network does not give, so that no run can show them.
#include "command_line/text.hpp"
#include "sim/output.hpp"

#include "ebb/files/parts_file.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <string>

namespace ebb::cli {
namespace {

using namespace std::chrono_literals;
using power::ClassIndex;
using power::StateIndex;

config::Simulation simulation() {
  const auto library = files::read_parts_folder(std::string(EBB_SOURCE_DIR) + "/parts").value();
  const auto file =
      config::read_sim(std::string(EBB_SOURCE_DIR) + "/tests/cli/files/two-hosts.yaml", library);
  return config::prepare(*file, library).value();
}

// Four channels over 1 us: two at 10 Gb/s and 1 W, two asleep; a core of 3 W.
power::Ledger ledger() {
  const std::vector<power::MeterClass> classes = {
      {"channel", {"asleep", "changing", "10Gb/s", "40Gb/s"}}, {"switch core", {"on"}}};
  std::vector<power::MeterStart> meters;
  for (std::uint32_t i = 0; i < 4; ++i) {
    meters.push_back({.number = i,
                      .meter_class = ClassIndex{0},
                      .power = i < 2 ? watts(1) : watts(0),
                      .state = i < 2 ? StateIndex{2} : StateIndex{0}});
  }
  meters.push_back({.number = 0, .meter_class = ClassIndex{1}, .power = watts(3), .state = {}});
  power::Ledger made(classes, meters, TimePoint(1us));
  made.close(TimePoint(2us));
  return made;
}

netsim::Report report() {
  netsim::Report made{.ledger = ledger()};
  made.warm_up = {TimePoint(1us), true, false};
  made.from = TimePoint(1us);
  made.to = TimePoint(2us);
  made.offered = bits(40'000);
  made.offered_second_half = bits(20'000);
  made.sendable_second_half = bits(20'000);
  made.delivered = bits(20'000);
  made.messages = 3;
  made.messages_unfinished = 1;
  made.packet_latency.add(1500ns);
  made.always_on = watts(8) * Duration(1us);
  made.ideal = watts(1) * Duration(1us);
  made.channels = {{250ns, bits(4000)}, {1us, bits(40'000)}, {0ns, {}}, {250ns, bits(8000)}};
  made.outcomes_done = 5;
  made.outcomes_refused = 2;
  return made;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(SimText, SaysWhatTheReportSays) {
  const auto of = simulation();
  const auto measured = report();
  const std::string text = sim_text(results::Summary(of, measured));
  for (const char* expected : {
           "warm-up           1us, the limit: power and throughput were not seen to settle\n",
           "offered load      50.0 % of what the 2 sending hosts' links carry\n",
           "accepted load     25.0 %\n",
           "messages          3; 1 had not arrived when the run ended\n",
           "packets           1.500 us  1.500 us  1.500 us  1.500 us  1.500 us\n",
           "power of channels 25.0 % of always-on; 12.5 % would be ideal\n",
           "                  2.000 W of 8.000 W; 1.000 W would be ideal\n",
           "switch cores      3.000 W, whatever the channels do\n",
           "  asleep           50.0 % |####################                    |\n",
           "  40Gb/s            0.0 % |                                        |\n",
           "refused           2 of the policy's 7 actions\n",
       }) {
    EXPECT_TRUE(contains(text, expected)) << expected << text;
  }
}

TEST(SimText, RanksChannelsByTimeThenByWhatTheyCarried) {
  const auto of = simulation();
  const auto measured = report();
  const results::Summary result(of, measured);
  ASSERT_EQ(result.busiest.size(), 4U);
  EXPECT_EQ(result.busiest[0].from + result.busiest[0].to, "s0h0");
  EXPECT_DOUBLE_EQ(result.busiest[0].busy, 1);
  EXPECT_DOUBLE_EQ(result.busiest[0].carried, 1);
  EXPECT_DOUBLE_EQ(result.busiest[1].carried, 0.2);
  EXPECT_DOUBLE_EQ(result.busiest[2].carried, 0.1);
}

TEST(SimText, AStallIsToldWithItsChain) {
  const auto of = simulation();
  auto measured = report();
  measured.stall = netsim::Stall{TimePoint(1500ns), 1, {"a -> b waits", "and so round again"}};
  const std::string text = sim_text(results::Summary(of, measured));
  EXPECT_TRUE(
      contains(text,
               "\nstalled: nothing has moved since 1.500 us, and 1 packet is in the network. What "
               "waits for what:\n  a -> b waits\n  and so round again\n"))
      << text;
  EXPECT_FALSE(contains(text, "saturated")) << "a stall says it all";
  const auto json = nlohmann::json::parse(to_json(results::Summary(of, measured)));
  EXPECT_EQ(json["stall"]["since_ps"], 1'500'000);
  EXPECT_EQ(json["stall"]["chain"].size(), 2U);
}

TEST(SimText, AStallBeforeTheMeasurementHasNoShares) {
  const auto of = simulation();
  netsim::Report stuck;
  stuck.stall = netsim::Stall{TimePoint(1us), 3, {}};
  const results::Summary result(of, stuck);
  EXPECT_FALSE(result.measured);
  EXPECT_TRUE(contains(sim_text(result), "nothing was measured\n"));
  const auto json = nlohmann::json::parse(to_json(result));
  EXPECT_EQ(json["power"]["channels_W"], 0.0);
  EXPECT_EQ(json["steady"], false);
}

TEST(SimText, SaturationIsSaidFirst) {
  const auto of = simulation();
  const auto measured = report();
  ASSERT_TRUE(netsim::saturated(measured));
  EXPECT_TRUE(contains(sim_text(results::Summary(of, measured)),
                       "seed 1\n\nsaturated: in the second half of the measured time 0.0 % of "));
}

TEST(SimText, OfARunThatItsMessagesOutlastSaysHowLongToMeasure) {
  const auto of = simulation();
  auto measured = report();  // over 1 us
  measured.longest_message = 4us;
  measured.mean_residual = 600ns;
  const results::Summary result(of, measured);
  const std::string text = sim_text(result);
  EXPECT_TRUE(contains(text, "seed 1\n\ntoo short to tell whether the network keeps up: ")) << text;
  EXPECT_TRUE(contains(text, "at least 6us (schedule.measure)")) << text;
  EXPECT_FALSE(contains(text, "saturated")) << text;
  const auto json = nlohmann::json::parse(to_json(result));
  EXPECT_EQ(json["too_short"], true);
  EXPECT_EQ(json["saturated"], false);
  EXPECT_EQ(json["time"]["least_measure_ps"], 6'000'000);
}

TEST(SimExitCode, OnlyAStallIsARequirementNotMet) {
  auto measured = report();
  EXPECT_EQ(exit_code(measured), ExitCode::done) << "though saturated";
  measured.stall = netsim::Stall{};
  EXPECT_EQ(exit_code(measured), ExitCode::not_met);
}

TEST(ShortText, HasFourDigitsAndAUnitThatSuits) {
  EXPECT_EQ(short_text(Duration{}), "0 ps");
  EXPECT_EQ(short_text(Duration(999)), "999.0 ps");
  EXPECT_EQ(short_text(Duration(999'999)), "1.000 us");
  EXPECT_EQ(short_text(Duration(12'345'678)), "12.35 us");
  EXPECT_EQ(short_text(Duration(90s)), "90.00 s");
  EXPECT_EQ(short_text(watts(36'250)), "36.25 kW");
  EXPECT_EQ(short_count(950), "950.0");
  EXPECT_EQ(short_count(1'234'567), "1.235 M");
}

}  // namespace
}  // namespace ebb::cli
