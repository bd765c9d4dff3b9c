// SPDX-License-Identifier: Apache-2.0
// Files with errors, and the seeds of the fuzzers.

#include "support/malformed.hpp"

#include "support/corpus.hpp"

#include "ebb/config/day_spec.hpp"
#include "ebb/config/plan_file.hpp"
#include "ebb/config/sim_file.hpp"
#include "ebb/config/simulation.hpp"
#include "ebb/config/sweep_file.hpp"
#include "ebb/files/parts_file.hpp"
#include "ebb/files/topology_file.hpp"
#include "ebb/traffic/injection.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ebb::config {
namespace {

Errors errors_of_graph(const std::string& path) {
  const auto graph = files::read_topology(path);
  return graph ? Errors{{"accepted", {}}} : graph.error();
}

Errors errors_of_sim(const std::string& path) {
  static const auto kLibrary =
      files::read_parts_folder(std::string(EBB_SOURCE_DIR) + "/parts").value();
  const auto file = read_sim(path, kLibrary);
  if (!file) return file.error();
  const auto simulation = prepare(*file, kLibrary);
  return simulation ? Errors{{"accepted", {}}} : simulation.error();
}

TEST(MalformedGraphs, AreRefusedWithWhatIsWrong) {
  test::check_malformed("graphs", errors_of_graph, 22);
}
TEST(MalformedSims, AreRefusedWithWhatIsWrong) { test::check_malformed("sims", errors_of_sim, 25); }

// The plans of the corpus name parts that the shipped library does not have.
bool replay_plan(const std::string& text) { return read_plan_text(text, "corpus", {}).has_value(); }

// The simulations of the corpus name parts of the fuzzer's own library; here the whole reader up to
// the part names is exercised.
bool replay_sim(const std::string& text) { return read_sim_text(text, "corpus", {}).has_value(); }

bool replay_day(const std::string& text) {
  const auto* poisson = traffic::find_injection_kind("poisson").value();
  return read_day_text(text, "corpus", poisson->parameters.front()).has_value();
}

bool replay_sweep(const std::string& text) {
  const auto spec = read_sweep_text(text, "corpus.yaml");
  return spec && !combinations(*spec).empty();
}

// The counts keep a reader from passing by refusing everything.
TEST(Corpus, PlanFilesAreAnswered) { EXPECT_EQ(test::replay_corpus("plan", replay_plan), 0); }
TEST(Corpus, SimulationFilesAreAnswered) { EXPECT_EQ(test::replay_corpus("sim", replay_sim), 0); }
TEST(Corpus, DaysAreAnswered) { EXPECT_GE(test::replay_corpus("day", replay_day), 1); }
TEST(Corpus, SweepFilesAreAnswered) { EXPECT_GE(test::replay_corpus("sweep", replay_sweep), 2); }

}  // namespace
}  // namespace ebb::config
