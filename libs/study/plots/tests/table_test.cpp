// SPDX-License-Identifier: Apache-2.0
#include "sample_figures.hpp"

#include "ebb/plots/figure.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace ebb::plots {
namespace {

Table small() {
  Table table{.title = "t", .note = "n"};
  table.columns = {{"series", "series", "", Column::Kind::text}, {"power", "power", "%"}};
  table.rows = {{std::string("a, \"b\""), 0.1}, {std::string("c"), Cell{}}};
  return table;
}

TEST(TableText, CsvQuotesAndNamesUnits) {
  EXPECT_EQ(to_csv(small()), "series,power [%]\n\"a, \"\"b\"\"\",0.1\nc,\n");
}

TEST(TableText, JsonHasNullForNothing) {
  EXPECT_EQ(to_json(small()),
            R"({"title":"t","note":"n","columns":[{"name":"series","label":"series","unit":"",)"
            R"("kind":"text"},{"name":"power","label":"power","unit":"%","kind":"number"}],)"
            R"("rows":[["a, \"b\"",0.1],["c",null]]})");
}

TEST(FigureData, HasEveryNumberAndCategoriesByName) {
  EXPECT_EQ(to_csv(data_of(sample_bars())),
            "series,x,y [kW],low [kW],high [kW]\n"
            "ebb,folded Clos of 324-port chassis,1146.88,,\n"
            "ebb,8-ary 5-flat,737.28,,\n"
            "published,folded Clos of 324-port chassis,1146.88,1100,1200\n"
            "published,8-ary 5-flat,737.28,,\n");
  EXPECT_EQ(data_of(sample_log()).rows.back()[2], Cell(1000.0));  // the level
}

std::string mistake(const std::string& text) {
  const auto table = read_csv(text, "dir/x.csv");
  return table ? "" : to_string(table.error());
}

TEST(ReadCsv, GivesBackWhatWasWritten) {
  Table table{.title = "x"};
  table.columns = {{"who", "who", "", Column::Kind::text}, {"time", "time", "us"}};
  table.rows = {{std::string("a, \"b\"\nc"), 0.1}, {std::string("d"), Cell{}}};
  const auto read = read_csv(to_csv(table), "dir/x.csv");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->title, "x");
  EXPECT_EQ(to_json(*read), to_json(table));
}

TEST(ReadCsv, TakesDosLinesAndALastLineWithoutEnd) {
  const auto read = read_csv("a,b\r\n1,2\r\n3,4", "x.csv");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(to_csv(*read), "a,b\n1,2\n3,4\n");
}

TEST(ReadCsv, NamesTheLineOfAMistake) {
  EXPECT_EQ(mistake(""), "dir/x.csv: error: the file is empty; its first line names the columns\n");
  EXPECT_EQ(mistake("a,b\n1,2\n3\n"), "dir/x.csv:3: error: 1 cells where the first line has 2\n");
  EXPECT_EQ(mistake("a\n\"1\n"), "dir/x.csv:3: error: a quote that is not closed\n");
  EXPECT_EQ(mistake("a\n\"1\"2\n"), "dir/x.csv:2: error: text behind the closing quote\n");
}

// The seeds of the fuzzer, and what it found.
TEST(ReadCsv, AnswersTheCorpus) {
  int accepted = 0;
  for (const auto& entry : std::filesystem::directory_iterator(EBB_SOURCE_DIR "/fuzz/corpus/csv")) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto table = read_csv(text, "corpus.csv");
    if (!table) continue;
    ++accepted;
    EXPECT_EQ(to_csv(read_csv(to_csv(*table), "corpus.csv").value()), to_csv(*table))
        << entry.path();
  }
  EXPECT_GE(accepted, 3);
}

TEST(ColumnFigure, LeavesOutWhatALogarithmCannotShow) {
  const auto table = read_csv("n [hosts],t [s],u\n0,1,x\n10,0,x\n100,5,x\n,7,x\n", "x.csv");
  ASSERT_TRUE(table);
  const auto figure = column_figure(*table, {"n", {"t"}, true, true});
  ASSERT_TRUE(figure) << to_string(figure.error());
  ASSERT_EQ(figure->series.size(), 1U);
  ASSERT_EQ(figure->series[0].points.size(), 1U);
  EXPECT_EQ(figure->series[0].points[0].x, 100);
  EXPECT_EQ(figure->x.unit, "hosts");
  EXPECT_EQ(column_figure(*table, {"n", {"t"}})->series[0].points.size(), 3U);
}

TEST(ColumnFigure, SaysAllMistakesAtOnce) {
  const auto table = read_csv("hosts,word\n1,x\n", "x.csv");
  ASSERT_TRUE(table);
  const auto figure = column_figure(*table, {"hsots", {"word"}});
  ASSERT_FALSE(figure);
  EXPECT_EQ(to_string(figure.error()),
            "error: unknown column 'hsots'; did you mean 'hosts'?\n"
            "error: column 'word' has cells that are not numbers\n");
}

}  // namespace
}  // namespace ebb::plots
