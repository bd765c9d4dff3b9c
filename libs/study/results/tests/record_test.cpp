// SPDX-License-Identifier: Apache-2.0
//
// Records of real runs.
#include "ebb/results/record.hpp"

#include "ebb/files/document.hpp"
#include "ebb/files/parts_file.hpp"
#include "ebb/results/run.hpp"
#include "ebb/results/summary.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace ebb::results {
namespace {

const power::Library& library() {
  static const auto parts =
      files::read_parts_folder(std::string(EBB_SOURCE_DIR) + "/parts").value();
  return parts;
}

config::Simulation simulation(const std::vector<std::string>& settings = {}) {
  const auto file = config::read_sim(
      std::string(EBB_SOURCE_DIR) + "/tests/cli/files/two-hosts.yaml", library(), settings);
  return config::prepare(*file, library()).value();
}

Record run(const std::vector<std::string>& settings = {}) {
  const config::Simulation made = simulation(settings);
  const netsim::Report report = netsim::run(made.experiment());
  return record_of(made, report, {.label = "two", .parameters = {{"a", "b"}}});
}

TEST(RunKey, ChangesWithWhatDecidesTheResult) {
  const RunKey base = run_key(simulation(), "1");
  EXPECT_EQ(base.key.size(), 64U);
  EXPECT_EQ(run_key(simulation(), "1"), base);
  const RunKey seeded = run_key(simulation({"seed=9"}), "1");
  EXPECT_EQ(seeded.setup, base.setup);
  EXPECT_NE(seeded.key, base.key);
  EXPECT_NE(run_key(simulation({"schedule.measure=3ms"}), "1").setup, base.setup);
  EXPECT_NE(run_key(simulation(), "2").setup, base.setup);
}

TEST(RunKey, KnowsThatAPartOfTheSameNameIsAnother) {
  config::Simulation changed = simulation();
  changed.models[0].rate_levels[0].power += microwatts(1);
  EXPECT_NE(run_key(changed, "1").setup, run_key(simulation(), "1").setup);
}

// Two hosts at the limit of their links, so that the queue of one grows for two seconds.
const std::vector<std::string> kLateVideo = {
    "parts={switch: kim-switch, components: kim-180nm}", "policy=always-on",
    "traffic={workload: video, load: 100%}", "schedule={warm_up: 0s, measure: 2s, tail_limit: 0s}"};

// With components and a deadline, a run has all there is but what these are of.
bool is_of_jobs(std::string_view metric) {
  return metric.starts_with("job.") || metric.starts_with("path.");
}

bool is_of_supplies(std::string_view metric) { return metric.starts_with("power.switches"); }

// But for those of jobs and of power supplies (wall_use_test.cpp).
TEST(Record, HoldsEveryDeclaredMetricInOrder) {
  const Record record = run(kLateVideo);
  std::vector<MetricKind> kinds(metric_kinds().begin(), metric_kinds().end());
  std::erase_if(kinds, [](const MetricKind& kind) {
    return is_of_jobs(kind.name) || is_of_supplies(kind.name);
  });
  ASSERT_EQ(record.run.metrics.size(), kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    EXPECT_EQ(record.run.metrics[i].name, kinds[i].name);
    EXPECT_EQ(record.run.metrics[i].unit, kinds[i].unit);
  }
  EXPECT_EQ(run(kLateVideo), record) << "the same input, the same record";
}

TEST(Record, HoldsEveryMetricOfJobs) {
  const std::string example = std::string(EBB_SOURCE_DIR) + "/examples/sim-program.yaml";
  const std::vector<std::string> settings = {"topology.hosts=16"};
  const auto made =
      config::prepare(*config::read_sim(example, library(), settings), library()).value();
  const Record record = record_of(made, config::run(made, made.experiment()), {"job", {}});
  for (const MetricKind& kind : metric_kinds()) {
    if (is_of_jobs(kind.name)) {
      EXPECT_TRUE(record.run.metric(kind.name)) << kind.name;
    }
  }
  const auto value = [&](std::string_view name) { return *record.run.metric(name); };
  EXPECT_GT(value("job.slowdown"), 1);
  EXPECT_LT(value("job.energy"), value("job.reference_energy"));
  EXPECT_EQ(value("path.computing") + value("path.overhead") + value("path.transmission") +
                value("path.waking") + value("path.slower") + value("path.queueing"),
            value("job.time"));
}

TEST(Record, HoldsADeadlineOnlyWhereThereIsOne) {
  const Record plain = run();
  EXPECT_EQ(plain.run.metric("deadline.time"), std::nullopt);
  EXPECT_EQ(plain.run.metric("lateness.count"), std::nullopt);
  const Record video = run(kLateVideo);
  EXPECT_EQ(video.run.metric("deadline.time"), 33'333'333'333.0);
  const double late = *video.run.metric("lateness.count");
  EXPECT_GT(late, 0);
  EXPECT_EQ(video.run.metric("deadline.missed"),
            late + *video.run.metric("traffic.messages_unfinished"));
  ASSERT_EQ(video.histograms.size(), 3U);
  EXPECT_EQ(video.histograms[0].name, "lateness");
}

TEST(Metrics, AreInTheDocument) {
  const std::string page =
      files::read_file(std::string(EBB_SOURCE_DIR) + "/docs/results.md", 1 << 20).value();
  for (const MetricKind& kind : metric_kinds()) {
    const std::string row = fmt::format("| `{}` | {} | {} |\n", kind.name, kind.unit, kind.meaning);
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
}

TEST(Record, HistogramsAndResidencyAddUp) {
  const Record record = run();
  ASSERT_EQ(record.histograms.size(), 2U);
  for (const Histogram& histogram : record.histograms) {
    std::uint64_t count = 0;
    for (const auto& bucket : histogram.buckets) count += bucket.count;
    EXPECT_EQ(static_cast<double>(count), record.run.metric(histogram.name + ".count"));
  }
  Duration channels{};
  for (const StateTime& state : record.residency) {
    if (state.meter_class == "channel") channels += state.time;
  }
  EXPECT_EQ(static_cast<double>(channels.count()),
            2 * *record.run.metric("network.links") * *record.run.metric("time.measured"));
}

TEST(Record, KeepsChannelsAndSeriesWhenAskedTo) {
  EXPECT_TRUE(run().channels.empty());
  const Record channels = run({"per_channel=true"});
  ASSERT_EQ(channels.channels.size(), 4U);
  EXPECT_FALSE(channels.series);
  double energy = 0;
  for (const Channel& channel : channels.channels) {
    energy += channel.energy_joules;
    EXPECT_EQ(channel.meter_class, "channel");
    Duration whole{};
    for (const Duration time : channel.state_times) whole += time;
    EXPECT_EQ(static_cast<double>(whole.count()), channels.run.metric("time.measured"));
  }
  EXPECT_NEAR(energy, *channels.run.metric("energy.channels"), 1e-12);

  const Record record = run({"series.every=100us"});
  ASSERT_TRUE(record.series);
  EXPECT_EQ(record.channels.size(), 4U) << "a series names its channels";
  ASSERT_EQ(record.series->frames(), 5U) << "409.6 us";
  EXPECT_EQ(record.series->busy_share.size(), 20U);
  // 2 KiB every 4.096 us, 409.6 ns each: 10 % of each frame, also of the shorter last one.
  const std::size_t out = record.series->busy_share[0] > 0 ? 0 : 1;
  EXPECT_NEAR(record.series->busy_share[out], 0.1, 0.01);
}

TEST(Parameters, LastOneCountsAndTheSeedIsNone) {
  const std::vector<std::string> settings = {"b=1", "seed=3", "a.c={x: y=z}", "b=2"};
  EXPECT_EQ(parameters_of(settings), (std::vector<Parameter>{{"b", "2"}, {"a.c", "{x: y=z}"}}));
}

TEST(Record, AStalledRunHasAnErrorAndNothingElse) {
  const config::Simulation made = simulation();
  netsim::Report report;
  report.stall = netsim::Stall{TimePoint(Duration(5)), 3, {"s0 waits for s1"}};
  const Record record = record_of(made, report, {});
  EXPECT_EQ(record.run.status, Status::failed);
  EXPECT_EQ(record.run.error,
            "the network stalled at 5 ps with 3 packets in it\n  s0 waits for s1");
  EXPECT_TRUE(record.run.metrics.empty() && record.residency.empty());
}

}  // namespace
}  // namespace ebb::results
