// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/document.hpp"
#include "ebb/files/parts_file.hpp"
#include "ebb/repro/experiment.hpp"
#include "ebb/repro/report.hpp"
#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace ebb::repro {
namespace {

const std::string kRoot = EBB_SOURCE_DIR;

TEST(Rows, CarryEveryPublishedResult) {
  const auto rows = read_rows(kRoot + "/repro");
  ASSERT_TRUE(rows) << to_string(rows.error());
  EXPECT_EQ(rows->size(), 35U);
  EXPECT_EQ(rows->front().id, "A1");
  EXPECT_EQ((*rows)[9].id, "A10");
  EXPECT_EQ(rows->back().id, "E1");
}

// The simulated ones are a test of their own, `repro.simulated`.
// Their notes say why.
const std::set<std::string> kKnownToDiffer = {"D3 HPL, ranks by row: saved", "D3 NAS: saved"};

TEST(Experiments, EveryComputedOneHasARowWithValuesAndReproducesIt) {
  const auto rows = read_rows(kRoot + "/repro");
  const auto parts = files::read_parts_folder(kRoot + "/parts");
  ASSERT_TRUE(rows && parts);
  RunCache cache(*parts);
  for (const Experiment& experiment : experiments()) {
    const auto row = std::find_if(rows->begin(), rows->end(),
                                  [&](const Row& r) { return r.id == experiment.id; });
    ASSERT_NE(row, rows->end()) << experiment.id;
    EXPECT_FALSE(row->values.empty()) << experiment.id;
    if (experiment.cost != Cost::computed) continue;
    const auto finding = run(*row, cache);
    ASSERT_TRUE(finding) << to_string(finding.error());
    EXPECT_TRUE(finding->seeds.empty()) << "not simulated";
    for (const Outcome& outcome : finding->outcomes) {
      const std::string name = experiment.id + " " + outcome.published.name;
      const bool agrees =
          outcome.verdict == Verdict::reproduced || outcome.verdict == Verdict::shown;
      EXPECT_EQ(agrees, !kKnownToDiffer.contains(name)) << name << ": " << outcome.measured;
    }
  }
}

TEST(Experiments, AreFoundByTheirFilesAndMeasureARowOnce) {
  std::set<std::string> ids;
  for (const Experiment& experiment : experiments())
    EXPECT_TRUE(ids.insert(experiment.id).second) << experiment.id;
  for (const char* id : {"A1", "A4", "A6", "B1", "D2"}) EXPECT_NE(find_experiment(id), nullptr);
  EXPECT_EQ(find_experiment("Z1"), nullptr);
}

TEST(Rows, AreChosenByIdInTheOrderOfTheIds) {
  const auto rows = read_rows(kRoot + "/repro");
  ASSERT_TRUE(rows);
  EXPECT_EQ(choose_rows(*rows, {})->size(), rows->size());
  const std::vector<std::string> ids = {"D2", "A1"};
  const auto chosen = choose_rows(*rows, ids);
  ASSERT_TRUE(chosen);
  ASSERT_EQ(chosen->size(), 2U);
  EXPECT_EQ((*chosen)[0].id, "D2");
  EXPECT_EQ((*chosen)[1].id, "A1");
  const std::vector<std::string> unknown = {"A1", "Z1", "Z2"};
  const auto refused = choose_rows(*rows, unknown);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().size(), 2U);
}

TEST(Report, MeasuresRowsThatHaveAnExperiment) {
  const auto rows = read_rows(kRoot + "/repro");
  const auto parts = files::read_parts_folder(kRoot + "/parts");
  ASSERT_TRUE(rows && parts);
  Row unmeasured = rows->front();
  unmeasured.id = "Z1";
  RunCache cache(*parts);
  std::vector<std::string> begun;
  const std::vector<Row> chosen = {rows->front(), unmeasured};
  const auto entries = measure(chosen, cache, [&](const Row& row) { begun.push_back(row.id); });
  ASSERT_TRUE(entries) << to_string(entries.error());
  EXPECT_EQ(begun, std::vector<std::string>{"A1"});
  EXPECT_TRUE((*entries)[0].finding);
  EXPECT_FALSE((*entries)[1].finding);
  EXPECT_FALSE(any_failed(*entries));
}

TEST(Report, ShowsEveryRowAndWhatIsNotYetMeasured) {
  const auto rows = read_rows(kRoot + "/repro");
  const auto parts = files::read_parts_folder(kRoot + "/parts");
  ASSERT_TRUE(rows && parts);
  RunCache cache(*parts);
  std::vector<Entry> entries;
  for (const Row& row : *rows) entries.push_back({row, {}});
  entries[0].finding = run(entries[0].row, cache).value();
  const std::string page = report_markdown(entries, Pictures::linked);
  for (const Row& row : *rows) {
    const std::string cell = row.id == "A1" ? "\n| [A1](#A1) |" : "\n| " + row.id + " |";
    EXPECT_NE(page.find(cell), std::string::npos) << row.id;
  }
  EXPECT_NE(page.find("35 published results, 1 of them measured"), std::string::npos);
  EXPECT_NE(page.find("| 9 reproduced | computed | `ebb repro run A1` |"), std::string::npos);
  EXPECT_NE(page.find("| not yet |  |  |"), std::string::npos);
  EXPECT_NE(page.find("](A1-table-1-power.svg)"), std::string::npos);
  EXPECT_EQ(report_markdown(entries, Pictures::left_out).find(".svg"), std::string::npos);
  EXPECT_EQ(report_values(entries).rows.size(), 9U);
}

// Lengthy rows are not measured again by a test, but their words and numbers cannot be forgotten.
TEST(Report, TheCommittedOneHasTheWordsOfEveryRow) {
  const auto rows = read_rows(kRoot + "/repro");
  const auto page = files::read_file(kRoot + "/docs/reproduction/README.md", 1 << 20);
  ASSERT_TRUE(rows && page);
  for (const Row& row : *rows) {
    if (find_experiment(row.id) == nullptr) continue;
    EXPECT_NE(page->find(row.note), std::string::npos) << row.id << ": " << row.note;
    for (const Published& value : row.values) {
      const std::string published = value.value + (value.unit.empty() ? "" : " " + value.unit);
      const std::string cells = "| " + value.label + " | " + published + " | ";
      EXPECT_NE(page->find(cells), std::string::npos) << row.id << ": " << cells;
    }
  }
}

// A9 and A6 look at the same run of paired channels.
TEST(RunCache, DoesARunOnceAndKnowsItsSeed) {
  const auto parts = files::read_parts_folder(kRoot + "/parts");
  ASSERT_TRUE(parts);
  RunCache cache(*parts);
  const char* file =
      "{schema_version: 1, topology: {family: fbfly, hosts: 2, dims: 2}, routing: "
      "minimal-adaptive, "
      "traffic: {pattern: uniform, injection: {name: poisson, load: 5%, size: 2KiB}}, "
      "policy: always-on, parts: {switch: isca10-chip-ideal}, schedule: {warm_up: 1us, measure: "
      "10us}, seed: 7}";
  const auto first = cache.simulate({{file, {}}});
  ASSERT_TRUE(first) << to_string(first.error());
  const auto more = cache.simulate({{file, {"seed=8"}},
                                    {file, {"policy={name: always-on}"}},
                                    {file, {"seed=8"}},
                                    {file, {"seed=9"}}});
  ASSERT_TRUE(more) << to_string(more.error());
  EXPECT_EQ((*more)[1], (*first)[0]);
  EXPECT_EQ((*more)[2], (*more)[0]);
  EXPECT_EQ((*more)[0]->simulation.spec.seed, 8U) << "in the order of the runs";
  EXPECT_EQ((*more)[3]->simulation.spec.seed, 9U);
  EXPECT_GT((*more)[0]->report.messages, 0U);
  EXPECT_EQ(cache.take_seeds(), (std::set<std::uint64_t>{7, 8, 9}));
  EXPECT_TRUE(cache.take_seeds().empty());
}

TEST(Judge, KnowsEachTolerance) {
  EXPECT_EQ(judge({.value = "8235", .tolerance = Tolerance::exact}, 8235), Verdict::reproduced);
  EXPECT_EQ(judge({.value = "8235", .tolerance = Tolerance::exact}, 8235.01), Verdict::differs);
  EXPECT_EQ(judge({.value = "1.13", .tolerance = Tolerance::rounded}, 1.125), Verdict::reproduced);
  EXPECT_EQ(judge({.value = "1.12", .tolerance = Tolerance::rounded}, 1.125), Verdict::differs);
  EXPECT_EQ(judge({.value = "36", .tolerance = Tolerance::band, .band_width = 4}, 32),
            Verdict::reproduced);
  EXPECT_EQ(judge({.value = "36", .tolerance = Tolerance::band, .band_width = 4}, 31.9),
            Verdict::differs);
  EXPECT_EQ(judge({.value = "300000", .tolerance = Tolerance::above}, 300000), Verdict::differs);
  EXPECT_EQ(judge({.value = "4096", .tolerance = Tolerance::below}, 622), Verdict::reproduced);
  EXPECT_EQ(judge({.value = "25", .tolerance = Tolerance::shown}, 15), Verdict::shown);
}

// The note of A2: no sum of whole classes of links of the folded Clos is 49,152.
TEST(ClosLinks, NoCountingRuleOfTheTextGivesTheElectricalLinks) {
  const auto graph =
      topology::build("clos_chassis", {{"hosts", "32768"}}, {gigabits_per_second(40)});
  ASSERT_TRUE(graph);
  // Lit links: each cable at a chassis needs one backplane link there.
  const int hosts = 32'768;
  const std::vector<int> classes = {hosts, 2 * hosts, hosts,
                                    hosts};  // host, stage-2 bp, 2-3, stage-3 bp
  EXPECT_EQ(graph->host_count(), static_cast<std::uint32_t>(hosts));
  bool gives_optical = false;
  for (unsigned chosen = 0; chosen < 16; ++chosen) {
    int sum = 0;
    for (std::size_t i = 0; i < classes.size(); ++i)
      sum += (chosen >> i & 1U) != 0 ? classes[i] : 0;
    EXPECT_NE(sum, 49'152);
    gives_optical = gives_optical || sum == 65'536;
  }
  EXPECT_TRUE(gives_optical);
}

TEST(RowFile, ReportsMistakes) {
  const auto row = read_row_text(
      "schema_version: 1\nid: A1\nresutl: x\nvalues: [{name: a, label: b, published: x, tolerance: "
      "about}]\n",
      "A1.yaml");
  ASSERT_FALSE(row);
  const std::string text = to_string(row.error());
  EXPECT_NE(text.find("A1.yaml:3:9: error: unknown key 'resutl'; did you mean 'result'?"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("'x' is not a number"), std::string::npos) << text;
  EXPECT_NE(text.find("a tolerance is exact"), std::string::npos) << text;
}

}  // namespace
}  // namespace ebb::repro
