// SPDX-License-Identifier: Apache-2.0
#include "support/corpus.hpp"

#include "ebb/files/parts_file.hpp"
#include "ebb/files/topology_file.hpp"
#include "ebb/files/transcript_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace ebb::files {
namespace {

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
    EXPECT_TRUE(topology::properties(spec->family, spec->parameters));
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

bool replay_transcript(const std::string& text) {
  const auto transcript = read_transcript_text(text, "corpus");
  if (!transcript) return false;
  const auto report = policy::replay(*transcript);
  return report && report->equal();
}

// The counts keep a reader from passing by refusing everything.
TEST(Corpus, GraphFilesAreAnswered) { EXPECT_GE(test::replay_corpus("graph", replay_graph), 2); }
TEST(Corpus, GeneratorFilesAreAnswered) {
  EXPECT_GE(test::replay_corpus("topology", replay_topology), 2);
}
TEST(Corpus, PartFilesAreAnswered) { EXPECT_GE(test::replay_corpus("parts", replay_parts), 4); }
TEST(Corpus, TranscriptsAreAnswered) {
  EXPECT_GE(test::replay_corpus("transcript", replay_transcript), 3);
}
TEST(Corpus, QuantitiesAreAnswered) { EXPECT_GE(test::replay_corpus("units", replay_units), 20); }

}  // namespace
}  // namespace ebb::files
