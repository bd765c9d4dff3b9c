// SPDX-License-Identifier: Apache-2.0
#include "ebb/trace/simgrid.hpp"

#include "support/corpus.hpp"

#include "ebb/program/check.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

namespace ebb::trace {
namespace {

using namespace std::chrono_literals;
using program::Operation;
using program::RankOperations;

Result<Trace> read_text(std::string_view text, const ParameterTexts& given = {}) {
  const NamedText named{"test.txt", text};
  return read_simgrid({&named, 1}, false, "test.txt",
                      Parameters::resolve(simgrid_parameters(), given).value());
}

program::Program read(std::string_view text, const ParameterTexts& given = {}) {
  auto trace = read_text(text, given);
  EXPECT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(to_string(check(trace->program, program::Markers::refuse)), "");
  return std::move(trace->program);
}

std::string refused(std::string_view text) {
  const auto trace = read_text(text);
  return trace ? "" : to_string(trace.error());
}

// The operations that wait for the end of one.
std::vector<std::uint32_t> after(const RankOperations& rank, std::uint32_t which) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < rank.after_end(which).size(); ++i)
    all.push_back(rank.after_end(which)[i]);
  return all;
}

TEST(Simgrid, ComputesFlopsAtTheRateOfARank) {
  const auto program =
      read("0 init\n0 compute 2e9\n0 sleep 0.001\n0 finalize\n", {{"flops", "4000000000"}});
  EXPECT_EQ(summarize(program).computations, 2U);
  EXPECT_EQ(program.rank(0)[0].time, 500ms);
  EXPECT_EQ(program.rank(0)[1].time, 1ms);
  EXPECT_EQ(after(program.rank(0), 0), std::vector<std::uint32_t>{1});
}

TEST(Simgrid, CountsElementsOfADatatype) {
  constexpr std::string_view kText =
      "# a comment\n\n0 init\n1 init 1\n0 send 1 7 1e3 1\n0 send 1 8 12.9 # and another\n"
      "1\trecv 0 7 500\r\n1 recv 0 8 12 6\n";
  const auto program = read(kText);
  EXPECT_EQ(program.rank(0)[0].size, bytes(4000));  // ints
  EXPECT_EQ(program.rank(0)[1].size, bytes(12));    // bytes
  EXPECT_EQ(program.rank(1)[0].size, bytes(4000));  // doubles after `init 1`
  EXPECT_EQ(program.rank(1)[1].size, bytes(12));
  EXPECT_EQ(program.line(0, 1), 6);
}

// Of rank 0: two receives without order, a computation meanwhile, then one waits for the first
// receive and one for both.
TEST(Simgrid, WaitsForARequestBySourceDestinationAndTag) {
  const auto program = read(
      "0 irecv 1 5 10\n0 irecv 1 6 10\n0 compute 1e3\n0 wait 1 0 5\n0 compute 2e3\n0 waitall\n"
      "0 compute 3e3\n1 send 0 5 10\n1 send 0 6 10\n");
  const RankOperations rank = program.rank(0);
  ASSERT_EQ(rank.size(), 5U);
  EXPECT_EQ(rank.roots().size(), 3U);
  EXPECT_EQ(rank[3].time, 2us);
  EXPECT_EQ(after(rank, 0), std::vector<std::uint32_t>{3});
  EXPECT_EQ(after(rank, 1), std::vector<std::uint32_t>{4});
  EXPECT_EQ(after(rank, 2), std::vector<std::uint32_t>{3});
  EXPECT_EQ(after(rank, 3), std::vector<std::uint32_t>{4});
}

// Sends of the same destination and tag are waited for in their order.
TEST(Simgrid, WaitsForTheOldestOfEqualRequests) {
  const auto program = read(
      "0 isend 1 5 10\n0 isend 1 5 20\n0 wait 0 1 5\n0 compute 1e3\n"
      "1 recv 0 5 10\n1 recv 0 5 20\n");
  EXPECT_EQ(after(program.rank(0), 0), std::vector<std::uint32_t>{2});
  EXPECT_TRUE(after(program.rank(0), 1).empty());
}

TEST(Simgrid, ReceivesFromAnyRankByANegativeNumber) {
  const auto program = read("0 send 1 5 10\n1 recv -555 -444 10\n");
  EXPECT_EQ(program.rank(1)[0].peer, program::kAny);
  EXPECT_EQ(program.rank(1)[0].tag, program::kAny);
}

// Three ranks do everything that all ranks do together.
TEST(Simgrid, TakesAllCollectiveOperationsApart) {
  std::string text;
  for (const char* rank : {"0", "1", "2"}) {
    for (const char* action :
         {"bcast 100 1", "reduce 100 50 2 6", "allreduce 100 50", "alltoall 10 10",
          "alltoallv 6 1 2 3 6 3 2 1", "gather 10 10 1", "gatherv 5 5 5 5 1", "scatter 10 10 0 6 6",
          "scatterv 1 2 3 9 2", "allgather 10 10", "allgatherv 10 1 2 3",
          "allgatherv 10 1 2 3 0 1 3 6 6", "reducescatter 4 5 6 100", "scan 10 20", "exscan 10 20",
          "barrier", "Barrier"})
      text += std::string(rank) + " " + action + "\n";
  }
  const auto program = read(text);
  // Broadcast and reduce: 2 messages each; all-reduce as a ring: 4 rounds of 3 messages; then
  // 6, 6, 2, 2, 2, 2, 6, 6, 6, 6, 2, 2 and two barriers of 2 rounds of 3.
  EXPECT_EQ(summarize(program).sends,
            2U + 2 + 12 + 6 + 6 + 2 + 2 + 2 + 2 + 6 + 6 + 6 + 6 + 2 + 2 + 12);
}

TEST(Simgrid, ComputesTheFlopsOfAReductionAfterIt) {
  const auto program = read("0 allreduce 100 5e3\n1 allreduce 100 5e3\n");
  const RankOperations rank = program.rank(1);
  EXPECT_EQ(rank[rank.size() - 1].time, 5us);
  EXPECT_EQ(rank.dependencies(rank.size() - 1), 1U);
}

TEST(Simgrid, TakesTheAlgorithmThatIsNamed) {
  const std::string text =
      "0 allreduce 100 0\n1 allreduce 100 0\n2 allreduce 100 0\n3 allreduce 100 0\n";
  EXPECT_EQ(summarize(read(text)).sends, 24U);
  EXPECT_EQ(summarize(read(text, {{"all_reduce", "recursive-doubling"}})).sends, 8U);
}

TEST(Simgrid, SaysWhatItLeftOut) {
  const auto trace = read_text(
      "0 comm_split 1 2\n0 comm_dup 1\n0 irecv 1 5 10\n0 test 1 0 5\n0 wait 1 0 5\n0 wait 1 0 5\n"
      "1 send 0 5 10\n");
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(trace->repairs,
            (std::vector<std::string>{
                "a test was left out: its request stays open until it is waited for (at "
                "test.txt:4)",
                "a wait for a request that is not open was left out (at test.txt:6)",
                "communicators are not told apart: collective operations are of all ranks (2 "
                "times, first at test.txt:1)"}));
}

TEST(Simgrid, NamesEveryMistakeWithItsLine) {
  const std::string said = refused(
      "0 init\n0 sned 1 2 3\n0 send 1 2\n0 send 0 1 many\n0 send 0 1 5 15\n0 bcast 5 7\n"
      "0 compute -1\n0 sleep 1e9\n0 send -1 0 5\n");
  for (const char* what :
       {"test.txt:2: error: unknown action 'sned'; did you mean 'send'?",
        "test.txt:3: error: send has 3 to 4 arguments, not 2", "test.txt:4: error: a count is",
        "test.txt:5: error: there is no datatype '15'", "test.txt:6: error: a rank is",
        "test.txt:7: error: a number of flops is",
        "test.txt:8: error: the action takes 1000000000 s", "test.txt:9: error: a rank is"})
    EXPECT_NE(said.find(what), std::string::npos) << what << "\nin\n" << said;
  EXPECT_NE(refused("hello world\n").find("test.txt:1: error: a line begins with"),
            std::string::npos);
  EXPECT_NE(refused("0\n").find("the action of the rank is missing"), std::string::npos);
  EXPECT_NE(
      refused("0 init\n4000000000 init\n").find("rank 4000000000 has actions, and rank 1 has none"),
      std::string::npos);
  EXPECT_NE(refused("").find("has no actions"), std::string::npos);
}

TEST(Corpus, TracesOfSimgridAreAnswered) {
  EXPECT_GE(test::replay_corpus(
                "simgrid", [](const std::string& text) { return read_text(text).has_value(); }),
            2);
}

class SimgridFiles : public testing::Test {
 protected:
  SimgridFiles() { std::filesystem::create_directories(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(SimgridFiles, MayBeOneForEachRank) {
  write("rank0", "0 init\n0 send 1 0 5\n");
  write("rank1", "1 init\n1 recv 0 0 5\n");
  const auto trace = read_trace(write("index", "rank0\nrank1\n"), {});
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(trace->format, "simgrid");
  EXPECT_EQ(trace->program.ranks(), 2U);
  const auto swapped = read_trace(write("swapped", "rank1\nrank0\n"), {});
  ASSERT_FALSE(swapped);
  EXPECT_NE(to_string(swapped.error())
                .find("rank1:1: error: is an action of rank 1 in the file of rank 0"),
            std::string::npos)
      << to_string(swapped.error());
  EXPECT_FALSE(read_trace(write("short", "rank0\nnone\n"), {}));
}

TEST_F(SimgridFiles, MayBeOneForAllRanks) {
  write("all", "0 init\n1 init\n0 send 1 0 5\n1 recv 0 0 5\n");
  const auto trace = read_trace(write("index", "all\n"), {});
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(trace->program.ranks(), 2U);
}

}  // namespace
}  // namespace ebb::trace
