// SPDX-License-Identifier: Apache-2.0
#include "ebb/day/day.hpp"

#include "ebb/files/parts_file.hpp"
#include "ebb/results/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace ebb::day {
namespace {

const power::Library& library() {
  static const auto kLibrary =
      files::read_parts_folder(std::string(EBB_SOURCE_DIR) + "/parts").value();
  return kLibrary;
}

// Eight hosts, a policy that changes rates every 10 us, windows of 200 us. The load, if there is
// one, and keys of the schedule stand after the others.
std::string file_text(const std::string& load, const std::string& schedule) {
  return "schema_version: 1\n"
         "topology: {family: fbfly, hosts: 4, dims: 2}\n"
         "routing: minimal-adaptive\n"
         "traffic: {pattern: uniform, injection: {name: poisson, size: 4KiB" +
         load +
         "}}\n"
         "policy: {name: epoch, target: 50%, epoch: 10us, channels: independent}\n"
         "parts: {switch: isca10-chip, rate_table: ideal-link}\n"
         "fidelity: flow\n"
         "schedule: {warm_up: 100us, measure: 200us" +
         schedule + "}\n";
}

config::SimFile read(const std::string& text, const std::vector<std::string>& settings = {}) {
  auto file = config::read_sim_text(text, "sim.yaml", library(), settings);
  EXPECT_TRUE(file) << to_string(file.error());
  return std::move(*file);
}

config::SimFile day_file(const std::string& rows, const std::string& more = "") {
  return read(file_text("", ", day: \"time,load\\n" + rows + "\"" + more));
}

std::string errors_of(const config::SimFile& file) {
  const auto day = prepare_day(file, library());
  return day ? "accepted" : to_string(day.error());
}

DayReport run(const config::SimFile& file, std::uint32_t threads = 1) {
  auto day = prepare_day(file, library());
  EXPECT_TRUE(day) << to_string(day.error());
  auto report = run_day(std::move(*day), library(), threads);
  EXPECT_TRUE(report) << to_string(report.error());
  return std::move(*report);
}

// A step is what `ebb sim` measures with its load and seed, so many times as it has windows.
TEST(Day, IsTheSumOfItsStepsTimesTheirWindows) {
  const DayReport report = run(day_file("00:00,20%\\n00:05,20%\\n"));
  ASSERT_EQ(report.steps.size(), 2U);
  const std::int64_t windows = std::chrono::minutes(5) / std::chrono::microseconds(200);
  Energy channels;
  Energy total;
  Energy always_on;
  for (std::uint64_t i = 0; i < 2; ++i) {
    const auto alone = config::prepare(
        read(file_text(", load: 20%", ""), {"seed=" + std::to_string(1 + i)}), library());
    ASSERT_TRUE(alone) << to_string(alone.error());
    const netsim::Report single = config::run(*alone, alone->experiment());
    const results::Summary summary(*alone, single);
    EXPECT_EQ(report.steps[i].energy, windows * netsim::channel_energy(single.ledger));
    EXPECT_EQ(report.steps[i].sample.message_latency.mean, single.message_latency.mean());
    EXPECT_EQ(report.steps[i].sample.channels, summary.channels);
    EXPECT_EQ(report.steps[i].sample.offered_load, summary.offered_load);
    channels += windows * netsim::channel_energy(single.ledger);
    total += windows * single.ledger.total();
    always_on += windows * single.always_on;
  }
  EXPECT_NE(report.steps[0].energy, report.steps[1].energy);  // the seeds differ
  EXPECT_EQ(netsim::channel_energy(report.ledger), channels);
  EXPECT_EQ(report.ledger.total(), total);
  EXPECT_EQ(report.always_on, always_on);
  EXPECT_TRUE(report.ledger.check().empty()) << to_string(report.ledger.check());
  EXPECT_EQ(report.ledger.end() - report.ledger.start(), report.length());
  EXPECT_EQ(report.length(), Duration(std::chrono::minutes(10)));
}

// Two halves with the energies a and b say a + b of the window, with a standard error of |a - b|.
TEST(Day, HasTheStandardErrorOfItsHalves) {
  const DayReport report = run(day_file("00:00,20%\\n00:05,40%\\n"));
  double variance = 0;
  for (std::uint64_t i = 0; i < 2; ++i) {
    const auto alone = config::prepare(read(file_text(i == 0 ? ", load: 20%" : ", load: 40%", ""),
                                            {"seed=" + std::to_string(1 + i)}),
                                       library());
    const netsim::Report single = config::run(*alone, alone->experiment());
    const double error = 1.5e6 * std::abs(to_joules(single.first_half.energy) -
                                          to_joules(single.second_half.energy));
    EXPECT_GT(error, 0);
    EXPECT_NEAR(report.steps[i].standard_error_J, error, 1e-9 * error);
    variance += error * error;
  }
  EXPECT_NEAR(report.standard_error_J, std::sqrt(variance), 1e-9 * report.standard_error_J);
}

TEST(ThreadsOfADay, ChangeNothing) {
  const auto file = day_file("00:00,5%\\n00:05,20%\\n00:10,40%\\n00:15,10%\\n00:20,30%\\n",
                             ", magnify: [{at: 0:12, for: 300us}]");
  const DayReport one = run(file);
  EXPECT_EQ(one.magnified.at(0).step, 2U);
  for (const std::uint32_t threads : {2U, 4U}) {
    const DayReport several = run(file, threads);
    EXPECT_EQ(several.steps, one.steps);
    EXPECT_EQ(several.magnified, one.magnified);
    EXPECT_EQ(several.ledger, one.ledger);
    EXPECT_EQ(several.standard_error_J, one.standard_error_J);
  }
}

TEST(Day, MagnifiesAMomentWithPackets) {
  const DayReport report =
      run(day_file("00:00,5%\\n00:05,20%\\n", ", magnify: {at: 00:05, for: 300us}"));
  ASSERT_EQ(report.magnified.size(), 1U);
  const MagnifiedReport& moment = report.magnified[0];
  EXPECT_EQ(moment.step, 1U);
  const auto alone = config::prepare(
      read(file_text(", load: 20%", ""), {"seed=2", "fidelity=packet", "schedule.measure=300us"}),
      library());
  const netsim::Report single = config::run(*alone, alone->experiment());
  EXPECT_EQ(moment.sample.packet_latency.p99, single.packet_latency.quantile(Ratio(99, 100)));
  EXPECT_EQ(moment.sample.message_latency.count, single.message_latency.count());
  EXPECT_EQ(report.steps[1].sample.packet_latency.count, 0U);
}

TEST(Day, TellsEveryWindow) {
  std::vector<std::size_t> told;
  auto day = prepare_day(day_file("00:00,5%\\n00:05,20%\\n", ", magnify: {at: 0:00, for: 300us}"),
                         library());
  ASSERT_TRUE(day);
  ASSERT_TRUE(run_day(std::move(*day), library(), 2, [&](std::size_t done, std::size_t all) {
    EXPECT_EQ(all, 3U);
    told.push_back(done);
  }));
  EXPECT_EQ(told, (std::vector<std::size_t>{1, 2, 3}));
}

TEST(Day, IsRefusedWhenItsWindowsDoNotFit) {
  EXPECT_EQ(
      errors_of(read(file_text("", ", day: \"time,load\\n00:00,1%\\n00:05,1%\\n\""),
                     {"schedule.measure=7us", "schedule.magnify=[{at: 0:10, for: 1ms}]"})),
      "--set: error: the step at 00:00 is 300s long, which is no multiple of the 7us that are "
      "measured (at schedule.measure)\n"
      "--set: error: the policy decides every 10us, which is more than a tenth of the 7us "
      "that are measured; measure at least 100us, or let it decide more often (at "
      "schedule.measure)\n"
      "--set: error: 00:10 is not before the end of the day, 00:10 (at schedule.magnify)\n");
  EXPECT_EQ(
      errors_of(day_file("00:00,1%\\n00:05,200%\\n")),
      "sim.yaml:8:49: error: line 3 of the day: 'load' must be between 0.000001 and 1, got 2 (at "
      "schedule.day)\n");
}

// It decides by its first sample, so its period of 1 ms does not matter.
TEST(Day, TakesAPolicyThatDecidesOnce) {
  const std::string day = file_text("", ", day: \"time,load\\n00:00,1%\\n00:05,1%\\n\"");
  EXPECT_EQ(errors_of(read(day, {"policy=always-on"})), "accepted");
  EXPECT_NE(errors_of(read(day, {"policy.epoch=1ms"})).find("the policy decides every 1ms"),
            std::string::npos);
}

}  // namespace
}  // namespace ebb::day
