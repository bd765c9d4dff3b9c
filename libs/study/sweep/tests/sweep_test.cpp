// SPDX-License-Identifier: Apache-2.0
//
// Plans of real files, and their runs on threads into a real results file.
#include "support/temporary_folder.hpp"

#include "ebb/files/parts_file.hpp"
#include "ebb/results/record.hpp"
#include "ebb/sweep/claims.hpp"
#include "ebb/sweep/plan.hpp"
#include "ebb/sweep/session.hpp"
#include "ebb/sweep/workers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace ebb::sweep {
namespace {

const power::Library& library() {
  static const auto kLibrary =
      files::read_parts_folder(std::string(EBB_SOURCE_DIR) + "/parts").value();
  return kLibrary;
}

constexpr const char* kSim =
    "schema_version: 1\n"
    "topology: {graph: net.yaml}\n"
    "routing: shortest-path\n"
    "traffic: {pattern: uniform, injection: {name: poisson, load: 10%, size: 4KiB}}\n"
    "policy: {name: epoch, target: 50%, epoch: 10us}\n"
    "parts: {switch: isca10-chip-ideal}\n"
    "schedule: {warm_up: 10us, measure: 40us}\n";
constexpr const char* kNet =
    "schema_version: 1\nswitches: 1\nhosts: 2\n"
    "rate_tables: [[2.5Gb/s, 40Gb/s]]\n"
    "links: [{a: s0, b: h0}, {a: s0, b: h1}]\n";

class Sweep : public testing::Test {
 protected:
  Sweep() {
    write("sim.yaml", kSim);
    write("net.yaml", kNet);
  }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_.file(name); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }
  [[nodiscard]] Result<Plan> planned(const std::string& text) const {
    const auto spec =
        config::read_sweep_text("schema_version: 1\nbase: sim.yaml\n" + text, path("sweep.yaml"));
    EXPECT_TRUE(spec) << to_string(spec.error());
    return plan(*spec, library());
  }
  // Without the folder, which differs from test to test.
  [[nodiscard]] std::string errors_of(const std::string& text) const {
    const auto made = planned(text);
    if (made) return "";
    std::string errors = to_string(made.error());
    const std::string here = path("");
    for (std::size_t at = 0; (at = errors.find(here)) != std::string::npos;)
      errors.erase(at, here.size());
    return errors;
  }

 private:
  test::TemporaryFolder folder_;
};

TEST_F(Sweep, PlansEveryCombinationWithEverySeed) {
  const Plan made = planned("vary: {policy.target: [25%, 50%]}\nseeds: [3, 4]\n").value();
  ASSERT_EQ(made.runs.size(), 4U);
  const PlannedRun& second = made.runs[1];
  EXPECT_EQ(second.settings, (std::vector<std::string>{"policy.target=25%", "seed=4"}));
  EXPECT_EQ(second.run.seed, 4U);
  EXPECT_EQ(second.run.label, "sweep");
  EXPECT_EQ(second.run.parameters, (std::vector<results::Parameter>{{"policy.target", "25%"}}));
  EXPECT_EQ(second.run.setup, made.runs[0].run.setup);
  EXPECT_NE(second.run.setup, made.runs[2].run.setup);
}

TEST_F(Sweep, LeavesOutWhatIsTheSameRun) {
  const Plan made = planned("vary: {policy.target: [25%, 0.25, 50%]}\n").value();
  EXPECT_EQ(made.runs.size(), 2U);
  EXPECT_EQ(made.repeated, 1U);
}

TEST_F(Sweep, TellsEveryMistakeOnceAndWhereItIs) {
  EXPECT_EQ(errors_of("set: {hardware.packet: 2048}\n"
                      "vary:\n"
                      "  traffic.injection.load: [10%, 200%]\n"
                      "  policy.targt: [50%]\n"
                      "  policy.epoch: [10us, 20us]\n"),
            "sweep.yaml:6:18: error: unknown parameter 'targt'; did you mean 'target'? (at "
            "vary.policy.targt[0])\n"
            "sweep.yaml:3:24: error: '2048' has no unit; a data size is written like '1500B' (at "
            "set.hardware.packet)\n"
            "sweep.yaml:5:33: error: 'load' must be between 0.000001 and 1, got 2 (at "
            "vary.traffic.injection.load[1])\n");
}

TEST_F(Sweep, SaysWhichCombinationDoesNotFitTheSimulationFile) {
  std::string sim = kSim;
  sim.replace(sim.find("shortest-path"), 13, "minimal-adaptive");
  write("sim.yaml", sim);
  EXPECT_EQ(errors_of("vary:\n"
                      "  topology: [{family: fbfly, hosts: 2, dims: 4},\n"
                      "             {family: clos, ports: 4, hosts: 8}]\n"),
            "sim.yaml:3:10: error: routing 'minimal-adaptive' is for fbfly, not for clos (with "
            "topology={family: clos, ports: 4, hosts: 8}) (at routing)\n");
}

TEST_F(Sweep, RunsAreTheSameOnAnyNumberOfThreads) {
  const Plan made =
      planned("vary: {traffic.injection.load: [5%, 20%]}\nset: {series.every: 10us}\nseeds: 4\n")
          .value();
  std::vector<std::vector<results::Record>> all;
  for (const std::size_t threads : {1, 4}) {
    std::vector<results::Record> records(made.runs.size());
    std::vector<std::size_t> runs(made.runs.size());
    std::iota(runs.begin(), runs.end(), std::size_t{0});
    const auto workers =
        thread_workers(threads, [&](std::size_t which) { return perform(made, which, library()); });
    dispatch(
        runs, *workers,
        [&](const Finished& one) {
          records[one.which] = one.record;
          return true;
        },
        [](std::size_t) { return true; });
    all.push_back(std::move(records));
  }
  EXPECT_EQ(all[0], all[1]);
  for (const results::Record& record : all[0]) {
    EXPECT_EQ(record.run.status, results::Status::done) << record.run.error;
    Bytes bytes;
    results::append_record(bytes, record);
    ByteReader reader(bytes);
    EXPECT_EQ(results::take_record(reader), record) << "as a message";
    EXPECT_TRUE(reader.empty());
  }
}

TEST_F(Sweep, AFailedRunIsKeptWithItsErrorAndNotRepeatedUnlessAsked) {
  const Plan made = planned("seeds: 2\n").value();
  auto store = results::Store::open_to_write(path("r.db")).value();
  EXPECT_EQ(to_do(made, store, false).value(), (std::vector<std::size_t>{0, 1}));
  (void)store.put(perform(made, 0, library()).record).value();
  write("net.yaml", std::string(kNet) + "names: {h0: left}\n");
  const results::Record failed = perform(made, 1, library()).record;
  EXPECT_EQ(failed.run.status, results::Status::failed);
  EXPECT_EQ(failed.run.key, made.runs[1].run.key);
  EXPECT_NE(failed.run.error, "");
  (void)store.put(failed).value();
  EXPECT_EQ(to_do(made, store, false).value(), std::vector<std::size_t>{});
  EXPECT_EQ(to_do(made, store, true).value(), std::vector<std::size_t>{1});
  write("net.yaml",
        "schema_version: 1\nswitches: 1\nhosts: 2\nrate_tables: [[2.5Gb/s, 40Gb/s]]\n"
        "links: [{a: s0, b: h1}, {a: s0, b: h0}]\n");
  EXPECT_EQ(perform(made, 1, library()).record.run.error,
            "a graph file has changed since the sweep began");
}

TEST_F(Sweep, PerformsWhatTheFileLacksAndCountsIt) {
  const auto made = planned("seeds: 5\n");
  ASSERT_TRUE(made) << to_string(made.error());
  auto store = results::Store::open_to_write(path("runs.db"));
  const Claims claims(path("runs.db"));
  const auto workers =
      thread_workers(2, [&](std::size_t which) { return perform(*made, which, library()); });
  ASSERT_TRUE(store->put(perform(*made, 3, library()).record));
  Progress last;
  const auto watch = [&](std::size_t most) {
    return Watch{.tick =
                     [&last, most](const Progress& progress) {
                       last = progress;
                       return progress.done < most;
                     },
                 .on_sharing = {}};
  };
  EXPECT_TRUE(perform_missing({*made, *store, claims}, *workers, watch(1)).empty());
  EXPECT_EQ(last.runs, 5U);
  EXPECT_EQ(last.present, 1U);
  EXPECT_GE(last.done, 1U) << "runs under way are waited for";
  EXPECT_LT(last.done, 4U) << "nothing further is begun";
  EXPECT_EQ(store->keys()->size(), last.kept());
  EXPECT_TRUE(perform_missing({*made, *store, claims}, *workers, watch(100)).empty());
  EXPECT_EQ(last.kept(), 5U);
  EXPECT_EQ(store->keys()->size(), 5U);
}

// A caller may have the simulation without a file.
TEST_F(Sweep, TakesTheSimulationAsText) {
  auto spec = config::read_sweep_text("schema_version: 1\nbase: none.yaml\n", path("sweep.yaml"));
  ASSERT_TRUE(spec);
  EXPECT_FALSE(plan(*spec, library())) << "there is no such file";
  spec->base_text = kSim;
  spec->base = path("none.yaml");  // graph files are found beside it
  const auto made = plan(*spec, library());
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(made->runs.front().run.key, planned("")->runs.front().run.key);
}

TEST(HandOut, StopsWhenToldTo) {
  std::vector<std::size_t> runs(100);
  std::iota(runs.begin(), runs.end(), std::size_t{0});
  std::size_t taken = 0;
  const auto workers = thread_workers(2, [](std::size_t which) { return Finished{which, {}, 0}; });
  dispatch(
      runs, *workers, [&](const Finished&) { return ++taken < 5; },
      [](std::size_t running) { return running <= 2; });
  EXPECT_GE(taken, 5U);
  EXPECT_LE(taken, 6U) << "the other one under way is waited for";
}

// Run 3 is somebody else's until it was asked about twice, run 4 is done already.
TEST(HandOut, LeavesToOthersWhatTheyDo) {
  const std::vector<std::size_t> runs = {1, 2, 3, 4};
  const auto workers = thread_workers(1, [](std::size_t which) { return Finished{which, {}, 0}; });
  std::vector<std::size_t> taken;
  int asked_for_3 = 0;
  dispatch(
      runs, *workers,
      [&](const Finished& one) {
        taken.push_back(one.which);
        return true;
      },
      [](std::size_t) { return true; },
      [&](std::size_t which) {
        if (which == 4) return Turn::leave_out;
        return which == 3 && ++asked_for_3 < 3 ? Turn::later : Turn::begin;
      });
  EXPECT_EQ(taken, (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_EQ(asked_for_3, 3);
}

TEST(Claims, AreOfOneSweepAndEndWithIt) {
  const test::TemporaryFolder folder;
  const std::string results = folder.file("runs.db");
  const std::string key = "0123456789abcdef";
  const std::string other = "0123456789abcd00";  // differs in the fifteenth digit
  const Claims first(results);
  {
    const Claims second(results);
    EXPECT_TRUE(second.take(key));
    EXPECT_FALSE(first.take(key));
    EXPECT_TRUE(first.take(other));
    second.give_back(key);
    EXPECT_TRUE(first.take(key));
    EXPECT_FALSE(second.take(key));
    first.give_back(key);
    EXPECT_TRUE(second.take(key));
  }
  EXPECT_TRUE(std::filesystem::exists(results + "-claims")) << "the first has a claim yet";
  EXPECT_TRUE(first.take(key)) << "the other sweep has ended";
}

TEST(HandOut, ReachesEveryGroupOfWorkers) {
  std::vector<std::size_t> runs(50);
  std::iota(runs.begin(), runs.end(), std::size_t{0});
  std::vector<std::unique_ptr<Workers>> groups;
  for (const double group : {1.0, 2.0}) {
    groups.push_back(thread_workers(1, [group](std::size_t which) {
      return Finished{which, {}, group};  // the time says who it was
    }));
  }
  const auto both = all_of(std::move(groups));
  EXPECT_EQ(both->idle(), 2U);
  std::vector<std::size_t> seen;
  std::vector<double> who;
  dispatch(
      runs, *both,
      [&](const Finished& one) {
        seen.push_back(one.which);
        who.push_back(one.wall_seconds);
        return true;
      },
      [](std::size_t) { return true; });
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, runs);
  EXPECT_EQ(std::count(who.begin(), who.end(), 1.0) + std::count(who.begin(), who.end(), 2.0), 50);
  EXPECT_GT(std::count(who.begin(), who.end(), 2.0), 0);
}

}  // namespace
}  // namespace ebb::sweep
