// SPDX-License-Identifier: Apache-2.0
//
// The seeds of the fuzzers, and what they found, as a regression test of the ordinary build: each
// file must be answered, and what is accepted must survive a round trip.
#include "ebb/config/devices_file.hpp"
#include "ebb/config/fabric_file.hpp"
#include "ebb/config/graph_file.hpp"
#include "ebb/config/parts_file.hpp"
#include "ebb/config/plan_file.hpp"
#include "ebb/config/sim_file.hpp"
#include "ebb/config/sweep_file.hpp"
#include "ebb/config/topology_file.hpp"
#include "ebb/config/transcript_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>

namespace ebb::config {
namespace {

// Runs `check` on each file; it tells whether the file was accepted. Returns how many were.
int replay(const std::string& name, const std::function<bool(const std::string&)>& check) {
  int accepted = 0;
  const std::string folder = std::string(EBB_SOURCE_DIR) + "/fuzz/corpus/" + name;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path());
    const auto text = read_file(entry.path().string(), 1'000'000);
    EXPECT_TRUE(text);
    if (text && check(*text)) ++accepted;
  }
  return accepted;
}

bool replay_graph(const std::string& text) {
  const auto graph = read_graph_text(text, "corpus");
  if (!graph) return false;
  std::ostringstream written;
  write_graph(*graph, written);
  const auto again = read_graph_text(written.str(), "written");
  EXPECT_TRUE(again && *again == *graph);
  return true;
}

bool replay_topology(const std::string& text) {
  const auto spec = read_topology_spec_text(text, "corpus");
  if (!spec) return false;
  if (spec->graph.empty()) {
    EXPECT_TRUE(topology::figures(spec->family, spec->parameters));
  }
  return true;
}

template <class T>
bool survives(const std::string& text) {
  const auto value = parse<T>(text);
  if (!value) return false;
  EXPECT_EQ(parse<T>(to_text(*value)), *value) << text;
  return true;
}

bool replay_units(const std::string& text) {
  const bool any[] = {
      survives<Duration>(text), survives<DataSize>(text),    survives<DataRate>(text),
      survives<Power>(text),    survives<Energy>(text),      survives<Money>(text),
      survives<Length>(text),   survives<EnergyPrice>(text), survives<Ratio>(text)};
  return std::find(std::begin(any), std::end(any), true) != std::end(any);
}

bool replay_parts(const std::string& text) {
  power::Library library;
  Diagnostics errors("corpus");
  read_parts_text(text, errors, library);
  return errors.empty();
}

// One of them names a graph file that is not there.
bool replay_devices(const std::string& text) {
  return read_devices_text(text, "corpus.yaml", 2).has_value();
}

bool replay_fabric(const std::string& text) {
  return read_fabric_text(text, "corpus.yaml").has_value();
}

// The plans of the corpus name parts that the shipped library does not have.
bool replay_plan(const std::string& text) { return read_plan_text(text, "corpus", {}).has_value(); }

// The simulations of the corpus name parts of the fuzzer's own library; here the whole reader up to
// the part names is exercised.
bool replay_sim(const std::string& text) { return read_sim_text(text, "corpus", {}).has_value(); }

bool replay_sweep(const std::string& text) {
  const auto spec = read_sweep_text(text, "corpus.yaml");
  return spec && !combinations(*spec).empty();
}

bool replay_transcript(const std::string& text) {
  const auto transcript = read_transcript_text(text, "corpus");
  if (!transcript) return false;
  const auto report = policy::replay(*transcript);
  return report && report->equal();
}

// The counts keep a reader from passing by refusing everything.
TEST(Corpus, GraphFilesAreAnswered) { EXPECT_GE(replay("graph", replay_graph), 2); }
TEST(Corpus, DevicesFilesAreAnswered) { EXPECT_GE(replay("devices", replay_devices), 2); }
TEST(Corpus, FabricFilesAreAnswered) { EXPECT_GE(replay("fabric", replay_fabric), 2); }
TEST(Corpus, GeneratorFilesAreAnswered) { EXPECT_GE(replay("topology", replay_topology), 2); }
TEST(Corpus, PartFilesAreAnswered) { EXPECT_GE(replay("parts", replay_parts), 4); }
TEST(Corpus, PlanFilesAreAnswered) { EXPECT_EQ(replay("plan", replay_plan), 0); }
TEST(Corpus, SimulationFilesAreAnswered) { EXPECT_EQ(replay("sim", replay_sim), 0); }
TEST(Corpus, SweepFilesAreAnswered) { EXPECT_GE(replay("sweep", replay_sweep), 2); }
TEST(Corpus, TranscriptsAreAnswered) { EXPECT_GE(replay("transcript", replay_transcript), 3); }
TEST(Corpus, QuantitiesAreAnswered) { EXPECT_GE(replay("units", replay_units), 20); }

}  // namespace
}  // namespace ebb::config
