// SPDX-License-Identifier: Apache-2.0
#include "ebb/plots/result_figures.hpp"

#include "support/temporary_folder.hpp"

#include "ebb/config/simulation.hpp"
#include "ebb/files/parts_file.hpp"
#include "ebb/netsim/experiment.hpp"
#include "ebb/plots/gnuplot.hpp"
#include "ebb/results/record.hpp"
#include "ebb/results/store.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

namespace ebb::plots {
namespace {

// A results file of real runs: a small network at two loads under two policies, two seeds each.
class SmallSweep {
 public:
  SmallSweep() { parts_ = files::read_parts_folder(EBB_SOURCE_DIR "/parts").value(); }

  // Runs the simulation and stores it.
  void run(const std::vector<results::Parameter>& parameters, int seed) {
    std::vector<std::string> settings = {"seed=" + std::to_string(seed)};
    for (const auto& [key, value] : parameters) settings.push_back(key + "=" + value);
    const auto file = config::read_sim_text(kFile, "small", parts_, settings).value();
    const auto simulation = config::prepare(file, parts_).value();
    const auto report = netsim::run(simulation.experiment());
    auto store = results::Store::open_to_write(path()).value();
    (void)store.put(results::record_of(simulation, report, {"small", parameters})).value();
  }

  void run_all(const std::vector<std::string>& policies) {
    for (const std::string& policy : policies)
      for (const char* load : {"5%", "20%"})
        for (const int seed : {1, 2})
          run({{"policy", policy}, {"traffic.injection.load", load}}, seed);
  }

  [[nodiscard]] RunSet runs() const { return filtered({}).value(); }
  [[nodiscard]] Result<RunSet> filtered(const std::vector<RunFilter>& filters) const {
    return RunSet::read(results::Store::open_to_read(path()).value(), filters);
  }

 private:
  static constexpr const char* kFile = R"(
schema_version: 1
topology: {family: fbfly, hosts: 4, dims: 4}
routing: minimal-adaptive
traffic: {pattern: uniform, injection: {name: poisson, load: 5%, size: 16KiB}}
policy: always-on
parts: {switch: isca10-chip-ideal}
schedule: {warm_up: 100us, measure: 300us}
)";

  [[nodiscard]] std::string path() const { return folder_.file("small.db"); }

  test::TemporaryFolder folder_;
  power::Library parts_;
};

constexpr const char* kEpoch = "{name: epoch, channels: independent}";

const SmallSweep& sweep() {
  static const SmallSweep* kSweep = [] {
    auto* made = new SmallSweep;  // lives until the process ends
    made->run_all({"always-on", kEpoch});
    return made;
  }();
  return *kSweep;
}

Table table(const char* name, const RunSet& runs) {
  return find_result_figure(name).value()->table(runs);
}

double number(const Table& table, std::size_t row, const char* column) {
  return std::get<double>(table.rows.at(row).at(table.column(column)));
}

std::string text(const Table& table, std::size_t row, const char* column) {
  return std::get<std::string>(table.rows.at(row).at(table.column(column)));
}

TEST(PowerLoad, HasAPointPerExperimentWithItsInterval) {
  const Table power = table("power-load", sweep().runs());
  ASSERT_EQ(power.rows.size(), 4U);
  EXPECT_EQ(text(power, 0, "series"), "always-on");
  EXPECT_EQ(text(power, 2, "series"), "epoch");
  EXPECT_DOUBLE_EQ(number(power, 0, "power"), 100);
  EXPECT_NEAR(number(power, 0, "offered_load"), 5, 2);
  EXPECT_NEAR(number(power, 1, "offered_load"), 20, 4);
  EXPECT_LT(number(power, 2, "power"), number(power, 3, "power"));
  EXPECT_LT(number(power, 2, "power_low"), number(power, 2, "power"));
  EXPECT_LT(number(power, 2, "power"), number(power, 2, "power_high"));
  EXPECT_LT(number(power, 2, "ideal"), number(power, 2, "power"));
  EXPECT_EQ(number(power, 2, "n"), 2);
}

TEST(LatencyLoad, HasMeanBelowTheTail) {
  const Table latency = table("latency-load", sweep().runs());
  ASSERT_EQ(latency.rows.size(), 4U);
  for (std::size_t row = 0; row < 4; ++row)
    EXPECT_LT(number(latency, row, "mean"), number(latency, row, "p99"));
  EXPECT_GT(number(latency, 0, "mean"), 3.2);  // 16 KiB take 3.3 us at 40 Gb/s
}

TEST(StateTime, SharesOfAnExperimentAddUpToAll) {
  const Table states = table("state-time", sweep().runs());
  std::map<std::string, double> sums;
  for (std::size_t row = 0; row < states.rows.size(); ++row)
    sums[text(states, row, "experiment")] += number(states, row, "share");
  ASSERT_EQ(sums.size(), 4U);
  EXPECT_TRUE(sums.contains("always-on, load=20%"));
  for (const auto& [name, sum] : sums) EXPECT_NEAR(sum, 100, 1e-9) << name;
  EXPECT_EQ(text(states, 0, "state"), "asleep");
  EXPECT_EQ(text(states, 6, "state"), "40Gb/s");  // of always-on, and its last: cores have no part
  EXPECT_DOUBLE_EQ(number(states, 6, "share"), 100);
  EXPECT_EQ(text(states, 7, "state"), "asleep");
}

TEST(LatencyCdf, RisesToAllMessages) {
  const Table curve = table("latency-cdf", sweep().runs());
  std::map<std::string, double> last;
  for (std::size_t row = 0; row < curve.rows.size(); ++row) {
    double& before = last[text(curve, row, "experiment")];
    EXPECT_GT(number(curve, row, "share"), before);
    before = number(curve, row, "share");
  }
  ASSERT_EQ(last.size(), 4U);
  for (const auto& [name, share] : last) EXPECT_DOUBLE_EQ(share, 100) << name;
}

// The always-on run of the same load and seed saves nothing and adds nothing.
TEST(SavingsLatency, ComparesWithTheAlwaysOnRunOfTheSameSeed) {
  const Table savings = table("savings-latency", sweep().runs());
  ASSERT_EQ(savings.rows.size(), 4U);
  EXPECT_EQ(savings.columns[savings.column("latency")].label, "added mean latency");
  EXPECT_DOUBLE_EQ(number(savings, 0, "latency"), 0);
  EXPECT_DOUBLE_EQ(number(savings, 0, "saving"), 0);
  EXPECT_GT(number(savings, 2, "latency"), 0);
  const Table power = table("power-load", sweep().runs());
  EXPECT_NEAR(number(savings, 2, "saving"), 100 - number(power, 2, "power"), 1e-9);
  const Table latency = table("latency-load", sweep().runs());
  EXPECT_NEAR(number(savings, 2, "latency"),
              number(latency, 2, "mean") - number(latency, 0, "mean"), 1e-9);
}

// What all epoch runs have in common is not said; a default is called by its value.
TEST(Labels, SayWhatDiffersAndNothingElse) {
  SmallSweep mixed;
  mixed.run({{"policy", "always-on"}}, 1);
  mixed.run({{"policy", "{name: epoch, channels: paired}"}}, 1);
  mixed.run({{"policy", "{name: epoch, channels: paired, target: 75%}"}}, 1);
  const RunSet runs = mixed.runs();
  std::vector<std::string> labels;
  for (const Repetitions& experiment : runs.experiments()) labels.push_back(experiment.label);
  EXPECT_EQ(labels,
            (std::vector<std::string>{"always-on", "epoch, target=0.5", "epoch, target=0.75"}));
}

TEST(SavingsLatency, IsAbsoluteWithoutAnAlwaysOnRun) {
  SmallSweep lonely;
  lonely.run_all({kEpoch});
  const Table savings = table("savings-latency", lonely.runs());
  ASSERT_EQ(savings.rows.size(), 2U);
  EXPECT_EQ(savings.columns[savings.column("latency")].label, "mean latency");
  EXPECT_EQ(text(savings, 0, "series"), "small");  // nothing but the load was varied
  EXPECT_GT(number(savings, 0, "latency"), 3.2);
}

TEST(SingleRun, HasNoInterval) {
  SmallSweep one;
  one.run({}, 1);
  const Table power = table("power-load", one.runs());
  ASSERT_EQ(power.rows.size(), 1U);
  EXPECT_EQ(power.rows[0][power.column("power_low")], Cell{});
  EXPECT_EQ(text(power, 0, "series"), "small");
}

TEST(EnergyParts, HasChannelsAndCores) {
  const Table parts = table("energy-parts", sweep().runs());
  ASSERT_EQ(parts.rows.size(), 8U);
  std::set<std::string> names;
  for (std::size_t row = 0; row < 8; ++row) names.insert(text(parts, row, "part"));
  EXPECT_EQ(names, (std::set<std::string>{"channels", "switch cores"}));
}

TEST(ResultFigures, TablesAreTheSameBytesWhateverTheOrderOfStoring) {
  SmallSweep other;
  other.run_all({kEpoch, "always-on"});
  const RunSet there = other.runs();
  const RunSet here = sweep().runs();
  for (const ResultFigure& figure : result_figures())
    EXPECT_EQ(to_json(figure.table(here)), to_json(figure.table(there))) << figure.name;
}

TEST(ResultFigures, AllOfThemDraw) {
  if (!gnuplot_found()) GTEST_SKIP() << kGnuplotMissing;
  const RunSet runs = sweep().runs();
  for (const ResultFigure& figure : result_figures()) {
    const Table its_table = figure.table(runs);
    if (figure.name == "critical-path") {  // of runs with jobs: tests/plot.py
      EXPECT_TRUE(its_table.rows.empty());
      continue;
    }
    const Figure described = figure_of(figure, its_table);
    EXPECT_EQ(described.name, figure.name);
    EXPECT_FALSE(described.series.empty()) << figure.name;
    EXPECT_TRUE(draw(described, Format::svg)) << figure.name;
    if (const char* folder = std::getenv("EBB_KEEP_DRAWINGS")) {
      std::ofstream(std::string(folder) + "/" + figure.name + ".png")
          << draw(described, Format::png).value();
    }
  }
}

std::vector<std::string> labels_of(const RunSet& runs) {
  std::vector<std::string> labels;
  for (const Repetitions& experiment : runs.experiments()) labels.push_back(experiment.label);
  return labels;
}

// 20% was set and is 0.2 in the configuration; `policy` is policy.name, `load` the one key that
// ends so.
TEST(Where, ChoosesRunsByTheirConfiguration) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(labels_of(sweep().filtered({{"policy", "epoch"}}).value()),
            (Texts{"small, load=5%", "small, load=20%"}));
  EXPECT_EQ(labels_of(sweep().filtered({{"load", "0.2"}}).value()), (Texts{"always-on", "epoch"}));
  EXPECT_EQ(labels_of(sweep().filtered({{"policy.name", "epoch"}, {"load", "20%"}}).value()),
            Texts{"small"});
}

// The always-on runs do not pass the filter and are still what is compared with.
TEST(Where, KeepsWhatSavingsAreComparedWith) {
  const auto chosen = sweep().filtered({{"policy", "epoch"}});
  const Table savings = table("savings-latency", *chosen);
  ASSERT_EQ(savings.rows.size(), 2U);
  EXPECT_EQ(savings.columns[savings.column("latency")].label, "added mean latency");
  EXPECT_EQ(text(savings, 0, "load"), "5%");
}

TEST(Where, SaysWhatThereIs) {
  const auto message = [](const std::vector<RunFilter>& filters) {
    const auto chosen = sweep().filtered(filters);
    return chosen ? "accepted" : to_string(chosen.error());
  };
  EXPECT_EQ(message({{"polcy", "epoch"}}),
            "error: --where: unknown key 'polcy'; did you mean 'policy'?\n");
  EXPECT_EQ(message({{"policy", "sleep"}, {"load", "7%"}}),
            "error: --where: no run has policy.name=sleep; there are always-on, epoch\n"
            "error: --where: no run has traffic.injection.load=7%; there are 0.05, 0.2\n");
  EXPECT_EQ(message({{"rate_pitch", "1"}}).substr(0, 37), "error: --where: unknown key 'rate_pit");
  EXPECT_FALSE(run_filter("policy"));
  EXPECT_EQ(run_filter("a=b=c")->value, "b=c");
}

// A status of the table reaches the point; the point of a savings figure has its load beside it.
TEST(PointStatus, IsOfEveryFigureOfPoints) {
  for (const char* name : {"power-load", "latency-load", "savings-latency"}) {
    const ResultFigure& known = *find_result_figure(name).value();
    Table made = known.table(sweep().runs());
    EXPECT_EQ(figure_of(known, made).series[0].points[1].status, PointStatus::fine) << name;
    made.rows[1][made.column("status")] = std::string("saturated");
    made.rows[0][made.column("status")] = std::string("too short");
    const Figure figure = figure_of(known, made);
    EXPECT_EQ(figure.series[0].points[1].status, PointStatus::saturated) << name;
    EXPECT_EQ(figure.series[0].points[0].status, PointStatus::too_short) << name;
    EXPECT_EQ(figure.series[0].points[0].label, name == std::string("savings-latency") ? "5%" : "");
  }
}

// 15 hosts send half of their rate to one host: 7.5 times what its link carries.
TEST(PointStatus, IsSaturatedWhenARunWas) {
  SmallSweep one;
  one.run(
      {{"traffic.pattern", "{name: hotspot, fraction: 100%}"}, {"traffic.injection.load", "50%"}},
      1);
  const Table power = table("power-load", one.runs());
  EXPECT_EQ(text(power, 0, "status"), "saturated");
}

TEST(ResultFigures, UnknownNameGetsTheNearest) {
  const auto found = find_result_figure("power-laod");
  ASSERT_FALSE(found);
  EXPECT_NE(to_string(found.error()).find("power-load"), std::string::npos);
}

}  // namespace
}  // namespace ebb::plots
