// SPDX-License-Identifier: Apache-2.0
#include "support/corpus.hpp"

#include "ebb/config/plan_file.hpp"
#include "ebb/config/sim_file.hpp"
#include "ebb/config/sweep_file.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ebb::config {
namespace {

// The plans of the corpus name parts that the shipped library does not have.
bool replay_plan(const std::string& text) { return read_plan_text(text, "corpus", {}).has_value(); }

// The simulations of the corpus name parts of the fuzzer's own library; here the whole reader up to
// the part names is exercised.
bool replay_sim(const std::string& text) { return read_sim_text(text, "corpus", {}).has_value(); }

bool replay_sweep(const std::string& text) {
  const auto spec = read_sweep_text(text, "corpus.yaml");
  return spec && !combinations(*spec).empty();
}

// The counts keep a reader from passing by refusing everything.
TEST(Corpus, PlanFilesAreAnswered) { EXPECT_EQ(test::replay_corpus("plan", replay_plan), 0); }
TEST(Corpus, SimulationFilesAreAnswered) { EXPECT_EQ(test::replay_corpus("sim", replay_sim), 0); }
TEST(Corpus, SweepFilesAreAnswered) { EXPECT_GE(test::replay_corpus("sweep", replay_sweep), 2); }

}  // namespace
}  // namespace ebb::config
