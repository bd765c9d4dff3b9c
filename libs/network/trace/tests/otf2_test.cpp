// SPDX-License-Identifier: Apache-2.0
#include "otf2_bytes.hpp"
#include "otf2_records.hpp"
#include "support/corpus.hpp"
#include "support/temporary_folder.hpp"

#include "ebb/program/check.hpp"

#include <gtest/gtest.h>

#if EBB_HAVE_OTF2
#include <otf2/otf2.h>
#endif

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace ebb::trace {
namespace {

using program::Operation;
using Kind = Otf2Collective::Kind;

// A microsecond is a tick.
Otf2Definitions world(std::uint32_t ranks) {
  Otf2Definitions definitions{1'000'000, ranks, {}};
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    definitions.communicators[0].ranks.push_back(rank);
  return definitions;
}

// A call from one time to another.
void call(Otf2Rank& rank, std::uint64_t from, std::uint64_t to, const std::function<void()>& does) {
  rank.at(from);
  rank.enter_mpi();
  does();
  rank.at(to);
  rank.leave_mpi();
}

std::string refusal(Otf2Records& records) {
  const auto trace = records.program("ring");
  return trace ? "" : to_string(trace.error());
}

TEST(Otf2Records, ComputationsLieBetweenCalls) {
  Otf2Records records(world(2), "t.otf2");
  records.rank(0).at(100);
  call(records.rank(0), 110, 150, [&] {
    call(records.rank(0), 120, 130, [] {});  // within the call
    records.rank(0).send({.communicator = 0, .peer = 1, .tag = 3, .size = 64});
  });
  call(records.rank(0), 150, 151, [] {});
  records.rank(0).at(171);
  call(records.rank(1), 7, 9,
       [&] { records.rank(1).receive({.communicator = 0, .peer = 0, .tag = 3, .size = 64}); });
  const auto trace = records.program("ring");
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_TRUE(trace->repairs.empty());
  const auto rank = trace->program.rank(0);
  ASSERT_EQ(rank.size(), 3U);
  EXPECT_EQ(rank[0], (Operation{.time = std::chrono::microseconds(10)}));
  EXPECT_EQ(rank[1],
            (Operation{.kind = Operation::Kind::send, .peer = 1, .tag = 3, .size = bytes(64)}));
  EXPECT_EQ(rank[2], (Operation{.time = std::chrono::microseconds(20)}));
  EXPECT_EQ(rank.after_end(0)[0], 1U);
  EXPECT_EQ(rank.after_end(1)[0], 2U);
  EXPECT_EQ(trace->program.rank(1).size(), 1U);
  EXPECT_TRUE(check(trace->program, program::Markers::refuse).empty());
}

TEST(Otf2Records, WhatDoesNotBlockEndsWhereItIsWaitedFor) {
  Otf2Records records(world(2), "t.otf2");
  for (const std::uint32_t me : {0U, 1U}) {
    Otf2Rank& rank = records.rank(me);
    call(rank, 0, 1, [&] { rank.receive_requested(1); });
    call(rank, 1, 2, [&] { rank.send({.communicator = 0, .peer = 1 - me, .size = 8}, 2); });
    call(rank, 12, 20, [&] {
      rank.receive({.communicator = 0, .peer = 1 - me, .size = 8}, 1);
      rank.send_completed(2);
    });
    rank.at(25);
  }
  const auto trace = records.program("ring");
  ASSERT_TRUE(trace) << to_string(trace.error());
  const auto rank = trace->program.rank(0);
  ASSERT_EQ(rank.size(), 4U);  // receive, send, 10 us, 5 us
  EXPECT_EQ(rank.roots().size(), 3U);
  EXPECT_EQ(rank[3].time, std::chrono::microseconds(5));
  EXPECT_EQ(rank.dependencies(3), 3U);
  EXPECT_TRUE(check(trace->program, program::Markers::refuse).empty());
}

TEST(Otf2Records, ManyCompletionsAreJoined) {
  Otf2Records records(world(1), "t.otf2");
  for (std::uint64_t i = 0; i < 1000; ++i) records.rank(0).send({.communicator = 0}, i);
  for (std::uint64_t i = 0; i < 1000; ++i) records.rank(0).send_completed(i);
  for (std::uint64_t i = 0; i < 1000; ++i) records.rank(0).receive({.communicator = 0});
  const auto trace = records.program("ring");
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_LT(summarize(trace->program).after_end, 3000U);
}

TEST(Otf2Records, TagsOfCommunicatorsDoNotMeet) {
  Otf2Definitions definitions = world(2);
  definitions.communicators[1].ranks = {1, 0};
  Otf2Records records(definitions, "t.otf2");
  for (const std::uint32_t communicator : {0U, 1U}) {
    records.rank(0).send({.communicator = communicator, .peer = 1 - communicator, .tag = 4});
    records.rank(1).receive({.communicator = communicator, .peer = communicator, .tag = 4});
  }
  const auto trace = records.program("ring");
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(trace->program.rank(0)[0].tag, 4U);
  EXPECT_NE(trace->program.rank(0)[1].tag, 4U);
  EXPECT_EQ(trace->program.rank(0)[1].tag, trace->program.rank(1)[1].tag);
  EXPECT_EQ(trace->program.rank(0)[1].peer, 1U);
}

// Those from 2^29 on are given to messages whose tag is another's, so that nobody else keeps one.
TEST(Otf2Records, HighTagsDoNotMeetThoseThatAreGiven) {
  Otf2Definitions definitions = world(2);
  definitions.communicators[1].ranks = {0, 1};
  Otf2Records records(definitions, "t.otf2");
  constexpr std::uint32_t kHigh = 1U << 29U;
  records.rank(0).send({.communicator = 0, .peer = 1, .tag = kHigh});
  records.rank(0).send({.communicator = 0, .peer = 1, .tag = 4});
  records.rank(0).send({.communicator = 1, .peer = 1, .tag = 4});
  const auto trace = records.program("ring");
  ASSERT_TRUE(trace) << to_string(trace.error());
  const auto rank = trace->program.rank(0);
  EXPECT_EQ(rank[1].tag, 4U);
  EXPECT_NE(rank[2].tag, 4U);
  EXPECT_NE(rank[2].tag, rank[0].tag);
}

TEST(Otf2Records, PeersMayBeRanksOfTheWorld) {
  Otf2Definitions definitions = world(3);
  definitions.communicators[1].ranks = {2, 0};
  definitions.communicators[1].has_world_ranks = true;
  Otf2Records records(definitions, "t.otf2");
  records.rank(0).send({.communicator = 1, .peer = 2});
  for (const std::uint32_t rank : {0U, 2U})
    records.rank(rank).collective({Kind::broadcast, 1, 2, 8, 8});
  const auto trace = records.program("ring");
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(trace->program.rank(0)[0].peer, 2U);
  EXPECT_EQ(trace->program.rank(2)[0].kind, Operation::Kind::send) << "the root is rank 2";
}

// Bytes that four ranks send, for each kind of collective: a rank sends 4,096 bytes in all and
// receives 1,024.
TEST(Otf2Records, CollectivesAreTheirMessages) {
  struct Case {
    Kind kind;
    std::int64_t sent;
  };
  for (const Case& one : {Case{Kind::barrier, 0},
                          {Kind::broadcast, 3 * 1024},
                          {Kind::gather, 4 * 4096},
                          {Kind::scatter, 4 * 1024},
                          {Kind::all_gather, 4 * 3 * 4096},
                          {Kind::all_to_all, 4 * 3 * 1024},
                          {Kind::all_reduce, 4 * 6 * 1024},
                          {Kind::reduce, 3 * 4096},
                          {Kind::reduce_scatter_block, 4 * 3 * 1024},
                          {Kind::scan, 3 * 4096},
                          {Kind::handles, 0}}) {
    Otf2Records records(world(4), "t.otf2");
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
      records.rank(rank).collective_requested(5);
      records.rank(rank).collective({one.kind, 0, 2, 4096, 1024}, 5);
      records.rank(rank).collective({one.kind, 0, 2, 4096, 1024});
    }
    const auto trace = records.program("ring");
    ASSERT_TRUE(trace) << to_string(trace.error());
    const auto summary = summarize(trace->program);
    EXPECT_EQ(summary.sent, bytes(2 * one.sent)) << static_cast<int>(one.kind);
    EXPECT_GE(summary.sends, 6U) << static_cast<int>(one.kind);
    EXPECT_EQ(trace->repairs.size(), one.kind == Kind::handles ? 1U : 0U);
    EXPECT_TRUE(check(trace->program, program::Markers::refuse).empty());
  }
}

TEST(Otf2Records, MistakesAndRepairsAreSaid) {
  Otf2Records wrong(world(2), "t.otf2");
  wrong.rank(0).send({.communicator = 9});
  wrong.rank(0).send({.communicator = 0, .peer = 2});
  wrong.rank(1).collective({Kind::broadcast, 0, 2, 0, 0});
  wrong.rank(1).send({.communicator = 0, .peer = 0, .tag = 0, .size = ~std::uint64_t{0}});
  wrong.rank(1).at(0);
  wrong.rank(1).at(2'000'000'000'000);
  const std::string errors = refusal(wrong);
  for (const char* mistake : {"communicator 9 is not defined", "has no rank 2", "root 2",
                              "more bytes", "more than 11 days", "rank 1"}) {
    EXPECT_NE(errors.find(mistake), std::string::npos) << mistake << "\n" << errors;
  }
  Otf2Records uneven(world(2), "t.otf2");
  uneven.rank(0).collective({Kind::barrier, 0, 0, 0, 0});
  EXPECT_NE(refusal(uneven).find("takes part in 0 of the 1"), std::string::npos);

  Otf2Records repaired(world(1), "t.otf2");
  repaired.rank(0).at(9);
  repaired.rank(0).at(8);
  repaired.rank(0).receive_requested(1);
  repaired.rank(0).receive({.communicator = 0}, 2);
  repaired.rank(0).one_sided();
  const auto trace = repaired.program("ring");
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(trace->repairs.size(), 4U);
}

TEST(Otf2Records, CorpusIsAnswered) {
  const auto replay = [](const std::string& bytes) {
    const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
    return read_bytes({first, bytes.size()}).has_value();
  };
  EXPECT_GE(test::replay_corpus("otf2", replay), 2);
}

#if EBB_HAVE_OTF2
// Archives written by the library of the format. A tick is a microsecond; ranks are the locations
// 10 to 13.
class Otf2Archive : public testing::Test {
 protected:
  static constexpr OTF2_RegionRef kMain = 0;
  static constexpr OTF2_RegionRef kCall = 1;
  static constexpr std::uint32_t kRanks = 4;

  void SetUp() override {
    archive_ = OTF2_Archive_Open(folder_.file("a").c_str(), "traces", OTF2_FILEMODE_WRITE, 1 << 20,
                                 4 << 20, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    ASSERT_NE(archive_, nullptr);
    static const OTF2_FlushCallbacks kFlush = {[](void*, OTF2_FileType, OTF2_LocationRef, void*,
                                                  bool) -> OTF2_FlushType { return OTF2_FLUSH; },
                                               nullptr};
    OTF2_Archive_SetFlushCallbacks(archive_, &kFlush, nullptr);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive_);
    OTF2_Archive_OpenEvtFiles(archive_);
  }
  // The records of a rank, between the first and the last of `main`.
  void write_rank(std::uint32_t rank, std::uint64_t end,
                  const std::function<void(OTF2_EvtWriter*)>& records) {
    OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter(archive_, 10 + rank);
    OTF2_EvtWriter_Enter(writer, nullptr, 0, kMain);
    records(writer);
    OTF2_EvtWriter_Leave(writer, nullptr, end, kMain);
    OTF2_Archive_CloseEvtWriter(archive_, writer);
  }
  static void call(OTF2_EvtWriter* writer, std::uint64_t from, std::uint64_t to,
                   const std::function<void()>& does) {
    OTF2_EvtWriter_Enter(writer, nullptr, from, kCall);
    does();
    OTF2_EvtWriter_Leave(writer, nullptr, to, kCall);
  }
  void write_definitions() {
    OTF2_Archive_CloseEvtFiles(archive_);
    OTF2_GlobalDefWriter* all = OTF2_Archive_GetGlobalDefWriter(archive_);
    OTF2_GlobalDefWriter_WriteClockProperties(all, 1'000'000, 0, 1000, OTF2_UNDEFINED_TIMESTAMP);
    OTF2_GlobalDefWriter_WriteString(all, 0, "");
    for (const auto& [region, paradigm] :
         {std::pair{kMain, OTF2_PARADIGM_USER}, {kCall, OTF2_PARADIGM_MPI}}) {
      OTF2_GlobalDefWriter_WriteRegion(all, region, 0, 0, 0, OTF2_REGION_ROLE_FUNCTION, paradigm,
                                       OTF2_REGION_FLAG_NONE, 0, 0, 0);
    }
    OTF2_GlobalDefWriter_WriteSystemTreeNode(all, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    OTF2_GlobalDefWriter_WriteLocationGroup(all, 0, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    for (std::uint64_t location = 10; location < 15; ++location) {  // the last is no rank
      OTF2_GlobalDefWriter_WriteLocation(all, location, 0, OTF2_LOCATION_TYPE_CPU_THREAD, 0, 0);
    }
    const auto group = [&](OTF2_GroupRef self, OTF2_GroupType type,
                           const std::vector<std::uint64_t>& members) {
      OTF2_GlobalDefWriter_WriteGroup(all, self, 0, type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                      static_cast<std::uint32_t>(members.size()), members.data());
    };
    group(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, {10, 11, 12, 13});
    group(1, OTF2_GROUP_TYPE_COMM_GROUP, {0, 1, 2, 3});
    group(2, OTF2_GROUP_TYPE_COMM_GROUP, {3, 1});
    group(3, OTF2_GROUP_TYPE_COMM_SELF, {});
    group(4, OTF2_GROUP_TYPE_COMM_GROUP, {0, 1});
    group(5, OTF2_GROUP_TYPE_COMM_GROUP, {2, 3});
    for (const std::uint32_t communicator : {0U, 1U, 2U}) {
      OTF2_GlobalDefWriter_WriteComm(all, communicator, 0, communicator + 1, OTF2_UNDEFINED_COMM,
                                     OTF2_COMM_FLAG_NONE);
    }
    OTF2_GlobalDefWriter_WriteInterComm(all, 3, 0, 4, 5, 0, OTF2_COMM_FLAG_NONE);
    OTF2_Archive_CloseGlobalDefWriter(archive_, all);
    OTF2_Archive_Close(archive_);
  }
  [[nodiscard]] Result<Trace> read() const { return read_trace(folder_.file("a/traces.otf2"), {}); }

  test::TemporaryFolder folder_;
  OTF2_Archive* archive_ = nullptr;
};

TEST_F(Otf2Archive, HasAllKindsOfRecords) {
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
    write_rank(rank, 200, [&](OTF2_EvtWriter* to) {
      call(to, 10, 20, [&] {  // 0 to 1, and 2 to 3 without blocking
        if (rank == 0) OTF2_EvtWriter_MpiSend(to, nullptr, 11, 1, 0, 5, 100);
        if (rank == 1) OTF2_EvtWriter_MpiRecv(to, nullptr, 19, 0, 0, 5, 100);
        if (rank == 2) OTF2_EvtWriter_MpiIsend(to, nullptr, 11, 3, 0, 6, 200, 7);
        if (rank == 3) OTF2_EvtWriter_MpiIrecvRequest(to, nullptr, 11, 9);
      });
      call(to, 50, 60, [&] {
        if (rank == 2) OTF2_EvtWriter_MpiIsendComplete(to, nullptr, 55, 7);
        if (rank == 3) OTF2_EvtWriter_MpiIrecv(to, nullptr, 55, 2, 0, 6, 200, 9);
      });
      call(to, 70, 80,
           [&] {  // 3 to 1 as ranks 0 and 1 of a communicator, and 0 to 3 between groups
             if (rank == 3) OTF2_EvtWriter_MpiSend(to, nullptr, 71, 1, 1, 5, 8);
             if (rank == 1) OTF2_EvtWriter_MpiRecv(to, nullptr, 72, 0, 1, 5, 8);
             if (rank == 0) OTF2_EvtWriter_MpiSend(to, nullptr, 73, 1, 3, 5, 9);
             if (rank == 3) OTF2_EvtWriter_MpiRecv(to, nullptr, 74, 0, 3, 5, 9);
           });
      for (OTF2_CollectiveOp kind = OTF2_COLLECTIVE_OP_BARRIER;
           kind <= OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE; ++kind) {
        call(to, 90, 90, [&] {
          OTF2_EvtWriter_MpiCollectiveBegin(to, nullptr, 90);
          OTF2_EvtWriter_MpiCollectiveEnd(to, nullptr, 90, kind, 0, 1, 64, 64);
        });
      }
      call(to, 100, 110, [&] {
        OTF2_EvtWriter_MpiCollectiveBegin(to, nullptr, 101);
        OTF2_EvtWriter_MpiCollectiveEnd(to, nullptr, 105, OTF2_COLLECTIVE_OP_ALLREDUCE, 2, 0, 8, 8);
        OTF2_EvtWriter_NonBlockingCollectiveRequest(to, nullptr, 106, 11);
      });
      call(to, 150, 170, [&] {
        OTF2_EvtWriter_NonBlockingCollectiveComplete(to, nullptr, 160, OTF2_COLLECTIVE_OP_ALLREDUCE,
                                                     0, OTF2_UNDEFINED_UINT32, 4000, 4000, 11);
        if (rank == 0) OTF2_EvtWriter_RmaPut(to, nullptr, 161, 0, 1, 64, 0);
      });
    });
  }
  write_definitions();
  const auto trace = read();
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(trace->format, "otf2");
  const auto errors = check(trace->program, program::Markers::refuse);
  EXPECT_TRUE(errors.empty()) << to_string(errors);
  const auto summary = summarize(trace->program);
  EXPECT_EQ(summary.ranks, 4U);
  // Before, between and after calls: 10 + 30 + 10 + 10 + 10 + 40 + 30 us of each rank.
  EXPECT_EQ(summary.compute_time, 4 * std::chrono::microseconds(140));
  EXPECT_EQ(summary.largest, bytes(1000));  // of the last all-reduce
  const auto rank = trace->program.rank(0);
  EXPECT_EQ(rank[1],
            (Operation{.kind = Operation::Kind::send, .peer = 1, .tag = 5, .size = bytes(100)}));
  std::string repairs;
  for (const std::string& repair : trace->repairs) repairs += repair + "\n";
  EXPECT_EQ(
      repairs,
      "6 collectives that create or free communicators, windows or files were taken as barriers\n"
      "6 collectives with a size for each rank took the largest for all\n"
      "1 one-sided transfers (RMA) were left out\n"
      "1 locations that are not ranks of MPI (threads, accelerators) were left out\n");
}

TEST_F(Otf2Archive, ThatIsBrokenIsRefused) {
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) write_rank(rank, 5, [](OTF2_EvtWriter*) {});
  write_definitions();
  ASSERT_TRUE(read());
  std::filesystem::remove(folder_.file("a/traces/12.evt"));
  const auto without = read();
  ASSERT_FALSE(without);
  EXPECT_NE(to_string(without.error()).find("records of rank 2"), std::string::npos)
      << to_string(without.error());
  std::filesystem::remove(folder_.file("a/traces.def"));
  const auto nothing = read();
  ASSERT_FALSE(nothing);
  EXPECT_NE(to_string(nothing.error()).find("definitions"), std::string::npos)
      << to_string(nothing.error());
}
#else
TEST(Otf2Archive, IsNotBuiltIn) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("traces.otf2")) << "\x03"
                                               "BOTF2";
  const auto trace = read_trace(folder.file("traces.otf2"), {});
  ASSERT_FALSE(trace);
  EXPECT_NE(to_string(trace.error()).find("libotf2"), std::string::npos);
}
#endif

}  // namespace
}  // namespace ebb::trace
