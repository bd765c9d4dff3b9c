// SPDX-License-Identifier: Apache-2.0
//
// The keys `schedule.day` and `schedule.magnify`: a time series of loads.
#include "prepared.hpp"
#include "support/temporary_folder.hpp"

#include "ebb/config/day_spec.hpp"
#include "ebb/config/sim_file.hpp"
#include "ebb/config/simulation.hpp"
#include "ebb/traffic/injection.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <string>
#include <vector>

namespace ebb::config {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

const std::string kNetwork =
    "schema_version: 1\n"
    "topology: {family: fbfly, hosts: 2, dims: 2}\n"
    "routing: minimal-adaptive\n"
    "policy: always-on\n"
    "parts: {switch: isca10-chip, rate_table: ideal-link}\n";
const std::string kTraffic =
    "traffic: {pattern: uniform, injection: {name: poisson, size: 4KiB}}\n";
const std::string kDay =
    "fidelity: flow\n"
    "schedule: {day: \"time,load\\n00:00,10%\\n00:05,0.2\\n\"}\n";

const Parameter& load() {
  return traffic::find_injection_kind("poisson").value()->parameters.front();
}

Result<SimFile> read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return read_sim_text(text, "sim.yaml", library(), overrides);
}

std::string errors_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const auto file = read(text, overrides);
  return file ? "accepted" : to_string(file.error());
}

TEST(Day, HasStepsUntilTheNextOne) {
  ASSERT_EQ(load().name, "load");
  const auto steps =
      read_day_text("# two days\ntime,load\n00:00,12%\n0:05, 0.5\n23:59:30,1%\n\n25:00,100%\n",
                    "day.csv", load());
  ASSERT_TRUE(steps) << to_string(steps.error());
  const Duration last = hours(25) - (hours(23) + minutes(59) + seconds(30));
  EXPECT_EQ(*steps,
            (std::vector<DayStep>{{Duration{}, minutes(5), Ratio(12, 100)},
                                  {minutes(5), hours(23) + minutes(54) + seconds(30), Ratio(1, 2)},
                                  {hours(23) + minutes(59) + seconds(30), last, Ratio(1, 100)},
                                  {hours(25), last, Ratio(1, 1)}}));
}

TEST(Day, ReportsEveryErrorWithItsLine) {
  const auto steps = read_day_text(
      "time,load\n00:01,10%\n00:01,10%\n5 o'clock,10%\n00:60,150%\n00:02,10%,3\n2400:00,1%\n",
      "day.csv", load());
  ASSERT_FALSE(steps);
  EXPECT_EQ(to_string(steps.error()),
            "day.csv:2: error: the first step begins at 00:00\n"
            "day.csv:3: error: 00:01 does not come after 00:01\n"
            "day.csv:4: error: expected a time like '13:05' or '13:05:30', before 2400:00, got '5 "
            "o'clock'\n"
            "day.csv:5: error: expected a time like '13:05' or '13:05:30', before 2400:00, got "
            "'00:60'\n"
            "day.csv:5: error: 'load' must be between 0.000001 and 1, got 1.5\n"
            "day.csv:6: error: a step has two fields: time,load\n"
            "day.csv:7: error: expected a time like '13:05' or '13:05:30', before 2400:00, got "
            "'2400:00'\n");
}

TEST(Day, NeedsAHeaderAndTwoSteps) {
  const auto only = [](const std::string& text, const std::string& file) {
    const auto steps = read_day_text(text, file, load());
    return steps ? "accepted" : to_string(steps.error());
  };
  EXPECT_EQ(only("", "day.csv"), "day.csv: error: the first line must be 'time,load'\n");
  EXPECT_EQ(only("load,time\n", "day.csv"),
            "day.csv:1: error: the first line must be 'time,load'\n");
  EXPECT_EQ(only("time,load\n00:00,1%\n", "day.csv"),
            "day.csv:2: error: a day has two steps or more\n");
  EXPECT_EQ(only("time,load\n00:00,1\n00:00,1%\n", ""),
            "error: line 3 of the day: 00:00 does not come after 00:00\n");
}

TEST(Day, WritesTimesAsItReadsThem) {
  for (const std::string text : {"00:00", "03:05", "23:59:59", "167:55"}) {
    EXPECT_EQ(clock_text(parse_clock(text).value()), text);
  }
  for (const std::string text : {"", ":", "1:2:3:4", "-1:00", "1:-5", "+1:00", "1:60", "1:00:60"}) {
    EXPECT_FALSE(parse_clock(text)) << text;
  }
}

TEST(Day, OfAFileIsAPartOfTheConfiguration) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("day.csv");
  std::ofstream(path) << "time,load\n00:00,10%\n00:05,0.2\n";
  const std::string magnify = ", magnify: {at: 0:07, for: 1ms}}\n";
  const auto by_file =
      read(kNetwork + kTraffic + "fidelity: flow\nschedule: {day: " + path + magnify);
  ASSERT_TRUE(by_file) << to_string(by_file.error());
  EXPECT_EQ(by_file->spec.day.magnified,
            (std::vector<Magnified>{{minutes(7), std::chrono::milliseconds(1)}}));
  const auto again = read(resolved_text(by_file->spec));
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(again->spec, by_file->spec);
  EXPECT_EQ(resolved_text(again->spec), resolved_text(by_file->spec));
}

TEST(Day, GivesEachStepItsLoadAndSeed) {
  const auto file = read(kNetwork + kTraffic + kDay, {"seed=7"});
  ASSERT_TRUE(file) << to_string(file.error());
  const auto steps = read_day(file->spec);
  ASSERT_TRUE(steps) << to_string(steps.error());
  const SimSpec second = step_spec(file->spec, steps->at(1), 1);
  const auto by_hand = read(kNetwork +
                            "traffic: {pattern: uniform, injection: {name: poisson, load: 20%, "
                            "size: 4KiB}}\nfidelity: flow\nseed: 8\n");
  ASSERT_TRUE(by_hand);
  EXPECT_EQ(second, by_hand->spec);
}

TEST(Day, ReplacesTheLoadOfAWorkload) {
  const auto file = read(kNetwork + "traffic: {workload: search}\n" + kDay);
  ASSERT_TRUE(file) << to_string(file.error());
  const SimSpec first = step_spec(file->spec, read_day(file->spec)->front(), 0);
  EXPECT_EQ(first.workload.parameters.front(),
            (std::pair<std::string, std::string>("load", "0.1")));
}

TEST(Day, HasTheOnlyLoad) {
  EXPECT_EQ(errors_of(kNetwork +
                      "traffic: {pattern: uniform, injection: {name: poisson, load: 5%, "
                      "size: 4KiB}}\n" +
                      kDay),
            "sim.yaml:6:62: error: the load is that of the day ('schedule.day') (at "
            "traffic.injection.load)\n");
  EXPECT_EQ(errors_of(kNetwork + kTraffic + kDay, {"traffic.injection.load=5%"}),
            "--set: error: the load is that of the day ('schedule.day') (at "
            "traffic.injection.load)\n");
  EXPECT_EQ(
      errors_of(kNetwork + "traffic: {workload: search, load: 5%}\n" + kDay),
      "sim.yaml:6:35: error: the load is that of the day ('schedule.day') (at traffic.load)\n");
}

TEST(Day, IsRefusedWhereItMeansNothing) {
  const auto with = [](const std::string& more) {
    return errors_of(kNetwork + kTraffic + kDay + more);
  };
  EXPECT_NE(with("series: {every: 10us}\n").find("not with 'series'"), std::string::npos);
  EXPECT_NE(with("per_channel: true\n").find("not with 'per_channel'"), std::string::npos);
  EXPECT_NE(with("name: lab\n").find("not of a fabric"), std::string::npos);
  EXPECT_NE(
      errors_of(kNetwork + "traffic: {messages: \"at_ps,source,destination,bytes\\n\"}\n" + kDay)
          .find("listed have no load"),
      std::string::npos);
  EXPECT_NE(
      errors_of(kNetwork + "traffic: {program: no.goal}\n" + kDay).find("'day' has no effect"),
      std::string::npos);
}

TEST(Day, MagnifiesFlowsOfADayAlone) {
  const std::string moment = "schedule.magnify={at: 0:01, for: 1ms}";
  EXPECT_EQ(errors_of(kNetwork + kTraffic + kDay, {moment}), "accepted");
  EXPECT_NE(errors_of(kNetwork + kTraffic + kDay, {moment, "fidelity=packet"})
                .find("all of the day is simulated with packets"),
            std::string::npos);
  EXPECT_NE(errors_of(kNetwork + "traffic: {workload: search}\n", {moment}).find("needs 'day'"),
            std::string::npos);
  EXPECT_EQ(errors_of(kNetwork + kTraffic + kDay,
                      {"schedule.magnify=[{at: noon, for: 1ms}, {at: 1:00, for: 0s}, {at: 1:00}]"}),
            "--set: error: expected a time like '13:05' or '13:05:30', before 2400:00, got 'noon' "
            "(at schedule.magnify[0].at)\n"
            "--set: error: must be between 1ps and 3600s, got 0ps (at schedule.magnify[1].for)\n"
            "--set: error: missing key 'for' (at schedule.magnify[2])\n");
}

TEST(Day, IsNotPreparedAsOneSimulation) {
  const auto file = read(kNetwork + kTraffic + kDay);
  ASSERT_TRUE(file);
  const auto made = prepare(*file, library());
  ASSERT_FALSE(made);
  EXPECT_EQ(to_string(made.error()),
            "sim.yaml:8:17: error: a day is run by 'ebb sim', step after step (at schedule.day)\n");
}

}  // namespace
}  // namespace ebb::config
