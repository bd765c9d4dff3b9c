// SPDX-License-Identifier: Apache-2.0
//
// Reports of runs that were really simulated and stored.
#include "ebb/report/report.hpp"

#include "support/temporary_folder.hpp"

#include "ebb/files/parts_file.hpp"
#include "ebb/results/record.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <absl/strings/escaping.h>
#include <algorithm>
#include <string>
#include <vector>

namespace ebb::report {
namespace {

using nlohmann::json;
using results::Record;
using results::Store;

const power::Library& library() {
  static const auto parts =
      files::read_parts_folder(std::string(EBB_SOURCE_DIR) + "/parts").value();
  return parts;
}

// 8 hosts on 4 switches, all joined, for 100 us in parts of 10 us.
constexpr std::string_view kSimulation = R"(schema_version: 1
topology: {family: fbfly, hosts: 2, dims: 4}
routing: minimal-adaptive
traffic:
  pattern: uniform
  injection: {name: poisson, load: 20%, size: 4KiB}
policy: {name: epoch, target: 50%, epoch: 10us, channels: independent}
parts: {switch: isca10-chip-ideal}
schedule: {warm_up: 20us, measure: 100us, tail_limit: 1ms}
series: {every: 10us}
)";

Record simulated(const std::string& seed, const std::string& label) {
  const std::vector<std::string> settings = {"seed=" + seed};
  const auto file = config::read_sim_text(kSimulation, "small.yaml", library(), settings);
  const auto simulation = config::prepare(*file, library());
  const netsim::Report report = netsim::run(simulation->experiment());
  return results::record_of(*simulation, report, {.label = label});
}

class ReportTest : public ::testing::Test {
 protected:
  Store store(const std::string& name, const std::vector<Record>& records) {
    auto made = Store::open_to_write(folder_.file(name)).value();
    for (const Record& record : records) EXPECT_TRUE(made.put(record));
    return made;
  }

 private:
  test::TemporaryFolder folder_;
};

TEST_F(ReportTest, HoldsEveryRunWithAllThatIsKnownOfIt) {
  const Record record = simulated("7", "small");
  const auto found = json::parse(*document(store("a.db", {record}), {.title = "a.db"}));
  EXPECT_EQ(found["format"], "ebb-report 1");
  EXPECT_EQ(found["title"], "a.db");
  ASSERT_EQ(found["runs"].size(), 1U);
  const json& run = found["runs"][0];
  EXPECT_EQ(run["key"], record.run.key);
  EXPECT_EQ(run["seed"], "7");
  EXPECT_EQ(run["configuration"], record.run.configuration);
  ASSERT_EQ(run["metrics"].size(), record.run.metrics.size());
  EXPECT_EQ(run["metrics"][0]["name"], "network.hosts");
  EXPECT_EQ(run["metrics"][0]["value"], 8);
}

TEST_F(ReportTest, HasATableForEveryFigure) {
  const auto made = store("a.db", {simulated("1", "small"), simulated("2", "small")});
  const auto found = json::parse(*document(made, {}));
  ASSERT_EQ(found["experiments"].size(), 1U) << "two seeds of one experiment";
  EXPECT_EQ(found["experiments"][0]["series"], "small");
  EXPECT_EQ(found["experiments"][0]["runs"], json({0, 1}));
  for (const char* name : {"power-load", "latency-load", "state-time", "latency-cdf",
                           "savings-latency", "energy-parts"}) {
    ASSERT_TRUE(found["figures"].contains(name)) << name;
    EXPECT_FALSE(found["figures"][name]["rows"].empty()) << name;
  }
}

// Two seeds of one simulation: 2 hosts on each of 4 switches, 8 host links and 6 between switches.
TEST_F(ReportTest, SaysWhichNetworkAndTrafficItShows) {
  const auto made = store("a.db", {simulated("1", "small"), simulated("2", "small")});
  const auto found = json::parse(*document(made, {}));
  const json& subject = found["subject"];
  ASSERT_EQ(subject["networks"].size(), 1U);
  EXPECT_EQ(subject["networks"][0]["text"],
            "fbfly dims=4 hosts=2 parallel=1: 8 hosts, 4 switches, 14 links");
  EXPECT_EQ(subject["networks"][0]["runs"], 2);
  ASSERT_EQ(subject["traffic"].size(), 1U);
  EXPECT_EQ(subject["traffic"][0]["text"], "uniform, poisson size=4KiB, load 20 %");
}

// The page draws by these names; every one is a column.
TEST_F(ReportTest, SaysWhatIsDrawnOfEachTable) {
  const auto found = json::parse(*document(store("a.db", {simulated("1", "small")}), {}));
  for (const auto& [name, figure] : found["figures"].items()) {
    std::vector<std::string> columns;
    for (const json& column : figure["columns"]) columns.push_back(column["name"]);
    const auto is_column = [&](const std::string& wanted) {
      return wanted.empty() || std::find(columns.begin(), columns.end(), wanted) != columns.end();
    };
    const json& drawing = figure["drawing"];
    for (const char* part : {"group", "x", "layer", "label"})
      EXPECT_TRUE(is_column(drawing[part])) << name << " " << part;
    for (const json& curve : drawing["curves"]) EXPECT_TRUE(is_column(curve["column"])) << name;
  }
  EXPECT_EQ(found["figures"]["power-load"]["drawing"]["references"][0]["label"], "ideal");
}

TEST_F(ReportTest, TurnsSeriesIntoBytesOfFramesTimesChannels) {
  const Record record = simulated("1", "small");
  const auto found = json::parse(*document(store("a.db", {record}), {}));
  ASSERT_EQ(found["series"].size(), 1U);
  const json& series = found["series"][0];
  EXPECT_EQ(series["start_ps"], 20'000'000);
  EXPECT_EQ(series["ends_ps"].size(), 10U);
  EXPECT_EQ(series["channels"].size(), 28U) << "8 host links and 6 between switches, both ways";
  for (const char* quantity : {"carried", "busy", "state", "queued"}) {
    std::string bytes;
    ASSERT_TRUE(absl::Base64Unescape(series[quantity].get<std::string>(), &bytes));
    EXPECT_EQ(bytes.size(), 10U * 28U) << quantity;
  }
  const auto& states = series["states"];
  EXPECT_EQ(states.front(), "asleep");
  EXPECT_EQ(states.back(), "40Gb/s");
}

TEST_F(ReportTest, SharesInBytesAreThoseOfTheChannels) {
  const Record record = simulated("1", "small");
  const auto found = json::parse(*document(store("a.db", {record}), {}));
  std::string carried;
  std::string busy;
  ASSERT_TRUE(absl::Base64Unescape(found["series"][0]["carried"].get<std::string>(), &carried));
  ASSERT_TRUE(absl::Base64Unescape(found["series"][0]["busy"].get<std::string>(), &busy));
  for (std::size_t c = 0; c < 28; ++c) {
    double carried_sum = 0;
    double busy_sum = 0;
    for (std::size_t frame = 0; frame < 10; ++frame) {
      carried_sum += static_cast<unsigned char>(carried[frame * 28 + c]) / 255.0;
      busy_sum += static_cast<unsigned char>(busy[frame * 28 + c]) / 255.0;
    }
    const results::Channel& channel = record.channels[c];
    const double full = 40e9 * 100e-6;
    EXPECT_NEAR(carried_sum / 10, static_cast<double>(channel.sent.count()) / full, 0.01);
    EXPECT_NEAR(busy_sum / 10, static_cast<double>(channel.busy.count()) / 100e6, 0.01);
  }
}

TEST_F(ReportTest, DrawsANetworkOnceForAllItsRuns) {
  const auto made = store("a.db", {simulated("1", "small"), simulated("2", "small")});
  const auto found = json::parse(*document(made, {}));
  ASSERT_EQ(found["drawings"].size(), 1U);
  const json& drawing = found["drawings"][0];
  EXPECT_EQ(drawing["runs"], json({0, 1}));
  EXPECT_EQ(drawing["nodes"].size(), 4U);
  EXPECT_EQ(drawing["links"].size(), 6U);
  EXPECT_EQ(drawing["nodes"][0]["host_channels"].size(), 4U);
  for (const json& link : drawing["links"]) {
    const json& channel = found["series"][0]["channels"][link["channels"][0].get<std::size_t>()];
    EXPECT_EQ(channel["from"], drawing["nodes"][link["a"].get<std::size_t>()]["name"]);
    EXPECT_EQ(channel["to"], drawing["nodes"][link["b"].get<std::size_t>()]["name"]);
  }
}

TEST_F(ReportTest, DoesNotDependOnTheOrderInWhichRunsEnded) {
  const Record one = simulated("1", "small");
  const Record two = simulated("2", "small");
  EXPECT_EQ(*document(store("a.db", {one, two}), {}), *document(store("b.db", {two, one}), {}));
}

TEST_F(ReportTest, LeavesOutSeriesThatDoNotFitAndSaysHowMany) {
  const auto made = store("a.db", {simulated("1", "small"), simulated("2", "small")});
  const auto all = *document(made, {});
  EXPECT_EQ(json::parse(all)["series"].size(), 2U);
  const auto found = json::parse(*document(made, {.title = "", .most_bytes = all.size() - 2000}));
  EXPECT_EQ(found["series"].size(), 1U);
  EXPECT_EQ(found["series_left_out"], 1);
  const auto none = json::parse(*document(made, {.title = "", .most_bytes = 1}));
  EXPECT_EQ(none["series"].size(), 0U);
  EXPECT_EQ(none["runs"].size(), 2U) << "runs are never left out";
}

TEST_F(ReportTest, NothingInADocumentEndsItsScriptBlock) {
  if (!can_write()) GTEST_SKIP() << "built without EBB_REPORT";
  const std::string trap = "</script><script>alert(1)</script><!--";
  const auto text = *html(store("a.db", {simulated("1", trap)}), {.title = trap});
  EXPECT_EQ(text.find("alert(1)</script>"), std::string::npos);
  const auto from = text.find("id=\"document\">") + std::string("id=\"document\">").size();
  const auto found = json::parse(text.substr(from, text.find("</script>", from) - from));
  EXPECT_EQ(found["title"], trap);
}

}  // namespace
}  // namespace ebb::report
