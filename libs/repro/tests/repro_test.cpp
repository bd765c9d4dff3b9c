// SPDX-License-Identifier: Apache-2.0
#include "ebb/config/parts_file.hpp"
#include "ebb/repro/experiment.hpp"
#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ebb::repro {
namespace {

const std::string kRoot = EBB_SOURCE_DIR;

TEST(Rows, CarryEveryPublishedResult) {
  const auto rows = read_rows(kRoot + "/repro");
  ASSERT_TRUE(rows) << to_string(rows.error());
  EXPECT_EQ(rows->size(), 34U);
  EXPECT_EQ(rows->front().id, "A1");
  EXPECT_EQ((*rows)[9].id, "A10");
  EXPECT_EQ(rows->back().id, "D4");
}

// The simulated ones are a test of their own, `repro.simulated`.
TEST(Experiments, EveryComputedOneHasARowWithValuesAndReproducesIt) {
  const auto rows = read_rows(kRoot + "/repro");
  const auto parts = config::read_parts_folder(kRoot + "/parts");
  ASSERT_TRUE(rows && parts);
  Lab lab(*parts);
  for (const Experiment& experiment : experiments()) {
    const auto row = std::find_if(rows->begin(), rows->end(),
                                  [&](const Row& r) { return r.id == experiment.id; });
    ASSERT_NE(row, rows->end()) << experiment.id;
    EXPECT_FALSE(row->values.empty()) << experiment.id;
    if (experiment.cost == Cost::simulated) continue;
    const auto finding = run(*row, lab);
    ASSERT_TRUE(finding) << to_string(finding.error());
    EXPECT_TRUE(finding->seeds.empty()) << "not simulated";
    for (const Outcome& outcome : finding->outcomes) {
      EXPECT_TRUE(outcome.verdict == Verdict::reproduced || outcome.verdict == Verdict::shown)
          << experiment.id << " " << outcome.published.name << ": " << outcome.measured;
    }
  }
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
