// SPDX-License-Identifier: Apache-2.0
#include "ebb/plots/table.hpp"

#include "sample_figures.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace ebb::plots
