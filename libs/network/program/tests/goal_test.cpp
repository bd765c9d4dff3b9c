// SPDX-License-Identifier: Apache-2.0
#include "ebb/program/goal.hpp"

#include "programs.hpp"
#include "support/corpus.hpp"

#include "ebb/program/builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <sstream>
#include <vector>

namespace ebb::program {
namespace {

using namespace std::chrono_literals;
using Kind = Operation::Kind;

std::vector<std::byte> bytes_of(const Program& program) {
  return {program.bytes().begin(), program.bytes().end()};
}

std::string refused_bytes(const std::vector<std::byte>& bytes) {
  const auto program = read_goal_binary(bytes, nullptr, "test.bin");
  return program ? "" : to_string(program.error());
}

TEST(Goal, ReadsEveryFeatureOfTheText) {
  const Program program = read(kEverything);
  ASSERT_EQ(program.ranks(), 4U);
  const RankOperations first = program.rank(0);
  ASSERT_EQ(first.size(), 3U);
  EXPECT_EQ(first[0], (Operation{.kind = Kind::compute, .time = 1us, .cpu = 1}));
  EXPECT_EQ(first[1],
            (Operation{
                .kind = Kind::send, .peer = 1, .tag = 7, .size = bytes(4096), .cpu = 1, .nic = 1}));
  EXPECT_EQ(first[2], (Operation{.kind = Kind::send, .peer = 3, .size = bytes(8), .nic = 1}));
  EXPECT_EQ(first.roots().size(), 1U);
  EXPECT_EQ(first.dependencies(1), 1U);
  ASSERT_EQ(first.after_end(0).size(), 1U);
  EXPECT_EQ(first.after_end(0)[0], 1U);
  ASSERT_EQ(first.after_start(1).size(), 1U);
  EXPECT_EQ(first.after_start(1)[0], 2U);
  EXPECT_EQ(first.after_end(1).size(), 0U);
  EXPECT_EQ(program.rank(1)[0],
            (Operation{.kind = Kind::receive, .peer = kAny, .tag = kAny, .size = bytes(4096)}));
  EXPECT_EQ(program.rank(2).size(), 0U);
  EXPECT_EQ(program.line(0, 1), 6);
  EXPECT_EQ(program.line(3, 1), 22);
}

TEST(Goal, TextAndBinaryFormConvertIntoEachOther) {
  const Program program = read(kEverything);
  std::ostringstream text;
  write_goal_text(program, text);
  const Program again = read(text.str());
  EXPECT_EQ(bytes_of(again), bytes_of(program));
  const auto binary = read_goal_binary(program.bytes(), nullptr, "test.bin");
  ASSERT_TRUE(binary.has_value());
  std::ostringstream same;
  write_goal_text(*binary, same);
  EXPECT_EQ(same.str(), text.str());
}

// 14 bytes and 16 for each rank; of rank 0: 8, one root of 4, three operations of 39, two
// successors.
TEST(Goal, TheBinaryFormHasThePublishedLayout) {
  const std::vector<std::byte> all = bytes_of(read(kEverything));
  const auto at = [&]<class T>(std::size_t place, T) {
    T value;
    std::memcpy(&value, all.data() + place, sizeof value);
    return value;
  };
  EXPECT_EQ(at(0, std::uint64_t{}), 4223U);
  EXPECT_EQ(at(8, std::uint32_t{}), 4U);
  EXPECT_EQ(at(12, std::uint8_t{}), 1U);
  EXPECT_EQ(at(13, std::uint8_t{}), 1U);
  const std::size_t rank = 14 + 4 * 16;
  EXPECT_EQ(at(14, std::uint64_t{}), rank - 8);
  EXPECT_EQ(at(22, std::uint64_t{}), rank - 8 + 8 + 4 + 3 * 39 + 2 * 4);
  const std::size_t send = rank + 12 + 39;
  EXPECT_EQ(at(send, std::uint32_t{}), 1U);         // dependency
  EXPECT_EQ(at(send + 4, std::uint8_t{}), 1U);      // a send
  EXPECT_EQ(at(send + 5, std::uint32_t{}), 1U);     // to rank 1
  EXPECT_EQ(at(send + 9, std::uint64_t{}), 4096U);  // bytes
  EXPECT_EQ(at(send + 17, std::uint32_t{}), 7U);    // tag
  EXPECT_EQ(at(send + 31, std::uint32_t{}), 1U);    // waits for its start
  EXPECT_EQ(at(send + 35, std::uint32_t{}), 1U);    // the second of the successors
}

TEST(Goal, NamesEveryMistakeWithItsLine) {
  const std::string said = refused(
      "num_ranks 2\nrank 0 {\na: send 8b to\nb: recv 1b from 1 tag x\n"
      "a requires b\nfoo\nc: calc 5\nc: calc 6\nsend 1b to -1\n}\n");
  for (const char* line :
       {"test.goal:3: error: the line ends where a rank belongs",
        "test.goal:4: error: a tag is a whole number", "test.goal:6: error: 'foo' is neither send",
        "test.goal:8: error: label 'c' is defined twice",
        "test.goal:9: error: a rank is a whole number"})
    EXPECT_NE(said.find(line), std::string::npos) << line << "\nin\n" << said;
}

TEST(Goal, RefusesWhatIsNoProgram) {
  EXPECT_NE(refused("").find("begins with 'num_ranks N'"), std::string::npos);
  EXPECT_NE(refused("num_ranks 1\nrank 0 {\ncalc 1\n").find("'}' is missing"), std::string::npos);
  EXPECT_NE(refused("num_ranks 2\nrank 1 {}\nrank 0 {}\n").find("ascending order"),
            std::string::npos);
  EXPECT_NE(refused("num_ranks 2\nrank 2 {}\n").find("below 2"), std::string::npos);
  EXPECT_NE(refused("num_ranks 8888884").find("a whole number from 0 to 1000002"),
            std::string::npos);
  EXPECT_NE(refused("num_ranks 1\nrank 0 {\ncalc 99999999999999999\n}\n").find("nanoseconds"),
            std::string::npos);
  EXPECT_NE(refused("num_ranks 1\nrank 0 { a requires b\n}\n").find("'b' is not defined"),
            std::string::npos);
}

// Every file that ends early is refused, and so is every one with a wrong index.
TEST(Goal, RefusesBinaryFilesThatAreCutOrDamaged) {
  const std::vector<std::byte> whole = bytes_of(read(kEverything));
  EXPECT_EQ(refused_bytes(whole), "");
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(refused_bytes({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}), "")
        << size;
  const auto changed = [&](std::size_t at, std::uint32_t value) {
    std::vector<std::byte> bytes = whole;
    std::memcpy(bytes.data() + at, &value, sizeof value);
    return refused_bytes(bytes);
  };
  const std::size_t rank = 14 + 4 * 16;
  EXPECT_NE(changed(0, 2342).find("make it anew"), std::string::npos);
  EXPECT_NE(changed(rank + 8, 1).find("wait for nothing is wrong"), std::string::npos);
  EXPECT_NE(changed(rank + 12, 9).find("waits for 9 others, and is named by 0"), std::string::npos);
  EXPECT_NE(changed(rank + 12 + 3 * 39, 77).find("successor 77 does not exist"), std::string::npos);
  EXPECT_NE(changed(rank + 12 + 23, 1000).find("successors are outside"), std::string::npos);
}

TEST(Corpus, GoalFilesAreAnswered) {
  const auto replay = [](const std::string& text) {
    const auto all = std::as_bytes(std::span(text));
    const auto program = is_goal_binary(all) ? read_goal_binary(all, nullptr, "corpus")
                                             : read_goal_text(text, "corpus");
    if (!program) return false;
    std::ostringstream written;
    write_goal_text(*program, written);
    EXPECT_TRUE(read_goal_text(written.str(), "written").has_value());
    return true;
  };
  EXPECT_GE(test::replay_corpus("goal", replay), 2);
}

TEST(Goal, ABuiltProgramHasRanksThatWereNotAdded) {
  ProgramBuilder builder(3);
  RankBuilder rank;
  rank.add({.kind = Kind::compute, .time = 5ns});
  builder.add(rank);
  const Program program = std::move(builder).build("made");
  EXPECT_EQ(program.ranks(), 3U);
  EXPECT_EQ(program.rank(2).size(), 0U);
  EXPECT_EQ(program.line(0, 0), 0);
}

}  // namespace
}  // namespace ebb::program
