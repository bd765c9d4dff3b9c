// SPDX-License-Identifier: Apache-2.0
#include "ebb/validate/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <ostream>
#include <string>

namespace ebb::validate {

void PrintTo(const Check& check, std::ostream* out) { *out << check.name; }

namespace {

class EveryCheck : public testing::TestWithParam<Check> {};

TEST_P(EveryCheck, Holds) {
  const std::vector<Row> rows = GetParam().run();
  EXPECT_GT(rows.size(), 1U);
  for (const Row& row : rows) {
    EXPECT_EQ(row.verdict, Verdict::holds)
        << row.name << ": expected " << row.expected << " " << row.unit << " (" << row.tolerance
        << "), measured " << row.measured << "; " << row.note;
  }
}

INSTANTIATE_TEST_SUITE_P(Simulator, EveryCheck, testing::ValuesIn(checks().begin(), checks().end()),
                         [](const auto& one) {
                           std::string name = one.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Checks, HaveNamesThatAreFound) {
  for (const Check& check : checks()) {
    const auto found = find_check(check.name);
    ASSERT_TRUE(found);
    EXPECT_EQ((*found)->name, check.name);
    EXPECT_FALSE(check.summary.empty() || check.source.empty());
  }
  EXPECT_FALSE(find_check("zero-laod"));
}

TEST(Rows, JudgeByTheirTolerance) {
  EXPECT_EQ(exact("", 5, 5, "").verdict, Verdict::holds);
  EXPECT_EQ(exact("", 5, 6, "").verdict, Verdict::fails);
  EXPECT_EQ(within("", 100, 101, 0.01, "").verdict, Verdict::holds);
  EXPECT_EQ(within("", 100, 98.9, 0.01, "").verdict, Verdict::fails);
  EXPECT_EQ(within("", 100, 0.0 / 0.0, 0.01, "").verdict, Verdict::fails);
  EXPECT_EQ(at_least("", 2, 2, "").verdict, Verdict::holds);
  EXPECT_EQ(at_least("", 2, 1.99, "").verdict, Verdict::fails);
  EXPECT_EQ(at_most("", 2, 2, "").verdict, Verdict::holds);
  EXPECT_EQ(at_most("", 2, 2.01, "").verdict, Verdict::fails);
  EXPECT_EQ(at_most("", 2, 0.0 / 0.0, "").verdict, Verdict::fails);
  EXPECT_EQ(at_least("", 2, 0.0 / 0.0, "").verdict, Verdict::fails);
}

}  // namespace
}  // namespace ebb::validate
