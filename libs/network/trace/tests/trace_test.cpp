// SPDX-License-Identifier: Apache-2.0
#include "ebb/trace/trace.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace ebb::trace {
namespace {

class TraceFile : public testing::Test {
 protected:
  std::string write(const std::string& text) {
    const auto path = std::filesystem::path(testing::TempDir()) /
                      testing::UnitTest::GetInstance()->current_test_info()->name();
    std::ofstream(path) << text;
    return path;
  }
};

TEST_F(TraceFile, SaysItsFormatByItsContent) {
  const auto trace = read_trace(write("num_ranks 2\nrank 0 { }\nrank 1 { }\n"), {});
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(trace->format, "goal");
  EXPECT_EQ(trace->program.ranks(), 2U);
  EXPECT_TRUE(trace->repairs.empty());
}

TEST_F(TraceFile, OfNoFormatIsRefused) {
  const auto trace = read_trace(write("a poem\n"), {});
  ASSERT_FALSE(trace);
  EXPECT_NE(to_string(trace.error()).find("ebb trace formats"), std::string::npos);
}

TEST_F(TraceFile, MayBeReadAsAFormatThatIsNamed) {
  const auto trace =
      read_trace(write("a poem\n"), {.format = "goal", .parameters = {}, .addresses = {}});
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().front().where.line, 1);
  const auto unknown = read_trace(write(""), {.format = "gaol", .parameters = {}, .addresses = {}});
  ASSERT_FALSE(unknown);
  EXPECT_NE(to_string(unknown.error()).find("did you mean 'goal'?"), std::string::npos);
}

TEST_F(TraceFile, HasNoParametersThatItsFormatDoesNotKnow) {
  const auto trace = read_trace(write("num_ranks 0\n"),
                                {.format = {}, .parameters = {{"flops", "1"}}, .addresses = {}});
  ASSERT_FALSE(trace);
  EXPECT_NE(to_string(trace.error()).find("flops"), std::string::npos);
}

}  // namespace
}  // namespace ebb::trace
