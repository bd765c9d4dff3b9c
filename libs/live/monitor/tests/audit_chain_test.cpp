// SPDX-License-Identifier: Apache-2.0
#include "ebb/monitor/audit_chain.hpp"

#include "support/temporary_folder.hpp"

#include "ebb/monitor/line_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace ebb::monitor {
namespace {

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void write(const std::string& path, const std::vector<std::string>& lines) {
  std::ofstream out(path);
  for (const std::string& line : lines) out << line << '\n';
}

class AuditChain : public ::testing::Test {
 protected:
  void add(int from, int to) {
    const auto file = *LineFile::open(path_, {.chained = true});
    for (int number = from; number < to; ++number)
      file->add("{\"order\":" + std::to_string(number) + "}");
  }
  [[nodiscard]] ChainCheck check(const std::string& noted = "") const {
    auto checked = check_chain(path_, noted);
    EXPECT_TRUE(checked);
    return checked ? *checked : ChainCheck{};
  }

  test::TemporaryFolder folder_;
  std::string path_ = folder_.file("audit.jsonl");
};

TEST_F(AuditChain, IsWholeAlsoAfterTheFileWasOpenedAgain) {
  add(0, 3);
  add(3, 5);
  const ChainCheck found = check();
  EXPECT_TRUE(found.problems.empty()) << found.problems[0];
  EXPECT_EQ(found.lines, 5U);
  EXPECT_TRUE(found.from_the_beginning);
  EXPECT_EQ(found.head, hash_of(lines_of(path_).back()));
  EXPECT_EQ(lines_of(path_)[0], "{\"order\":0,\"previous\":\"" + beginning_of_chain() + "\"}");
  // As any tool computes it: printf '%s' LINE | sha256sum
  EXPECT_EQ(hash_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_F(AuditChain, ShowsALineThatWasChanged) {
  add(0, 5);
  auto lines = lines_of(path_);
  lines[2][9] = '7';
  write(path_, lines);
  ASSERT_EQ(check().problems.size(), 1U);
  EXPECT_NE(check().problems[0].find("audit.jsonl:4: "), std::string::npos) << check().problems[0];
}

TEST_F(AuditChain, ShowsLinesThatAreMissingOrExchangedOrNew) {
  add(0, 5);
  const auto lines = lines_of(path_);
  write(path_, {lines[0], lines[1], lines[3], lines[4]});
  EXPECT_EQ(check().problems.size(), 1U);
  write(path_, {lines[0], lines[2], lines[1], lines[3], lines[4]});
  EXPECT_FALSE(check().problems.empty());
  write(path_, {lines[0], "{\"order\":9}", lines[1], lines[2], lines[3], lines[4]});
  EXPECT_FALSE(check().problems.empty());
  write(path_, {lines[1], lines[2], lines[3], lines[4]});
  EXPECT_FALSE(check().from_the_beginning);
}

// Lines that are missing at the end are shown by nothing but a head that was noted.
TEST_F(AuditChain, ShowsLinesThatAreMissingAtTheEndToWhoNotedItsHead) {
  add(0, 5);
  const std::string noted = check().head;
  EXPECT_TRUE(check(noted).found_noted);
  add(5, 7);
  EXPECT_TRUE(check(noted).found_noted) << "it has only grown";
  auto lines = lines_of(path_);
  lines.resize(4);
  write(path_, lines);
  EXPECT_TRUE(check(noted).problems.empty());
  EXPECT_FALSE(check(noted).found_noted);
}

TEST_F(AuditChain, GoesOnInTheNextFile) {
  const auto file = *LineFile::open(path_, {.most_bytes = 400, .chained = true});
  for (int number = 0; number < 7; ++number)
    file->add("{\"order\":" + std::to_string(number) + "}");
  ASSERT_FALSE(lines_of(path_ + ".1").empty());
  EXPECT_TRUE(check().problems.empty()) << check().problems[0];
  EXPECT_EQ(check().lines, lines_of(path_ + ".1").size() + lines_of(path_).size());
  std::ofstream(path_).close();  // a new file that is still empty
  EXPECT_EQ(head_of(path_), hash_of(lines_of(path_ + ".1").back()));
}

// A leader that hung continues when another one has written meanwhile.
TEST_F(AuditChain, IsWholeWhenTwoWriteInTurn) {
  const auto one = *LineFile::open(path_, {.chained = true});
  const auto other = *LineFile::open(path_, {.chained = true});
  for (int turn = 0; turn < 4; ++turn) {
    one->add("{\"by\":1}");
    other->add("{\"by\":2}");
  }
  EXPECT_TRUE(check().problems.empty()) << check().problems[0];
  EXPECT_EQ(check().lines, 8U);
}

TEST_F(AuditChain, BeginsAfterLinesOfAnOlderVersion) {
  write(path_, {"{\"order\":1}", "{\"order\":2}"});
  add(3, 5);
  EXPECT_TRUE(check().problems.empty());
  EXPECT_EQ(check().unchained, 2U);
}

// The machine lost its power within a line.
TEST_F(AuditChain, NamesALineThatWasCutShortAndGoesOn) {
  add(0, 2);
  std::ofstream(path_, std::ios::app) << "{\"order\":2,\"prev";
  add(3, 5);
  const ChainCheck found = check();
  ASSERT_EQ(found.problems.size(), 1U);
  EXPECT_NE(found.problems[0].find(":3: carries no hash"), std::string::npos) << found.problems[0];
  EXPECT_EQ(found.lines, 5U);
}

TEST_F(AuditChain, NeedsAFile) { EXPECT_FALSE(check_chain(path_, "")); }

}  // namespace
}  // namespace ebb::monitor
