// SPDX-License-Identifier: Apache-2.0
#include "support/corpus.hpp"

#include "ebb/program/check.hpp"
#include "ebb/trace/mpi.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

namespace ebb::trace {
namespace {

using namespace std::chrono_literals;
using program::Operation;
using program::RankOperations;

constexpr const char* kWorld = "MPI_Comm comm=2 (MPI_COMM_WORLD)\n";
constexpr const char* kInt = "MPI_Datatype datatype=9 (MPI_INT)\n";

// The text of a rank. Calls take 10 ns; `pause` is between them.
class RankText {
 public:
  RankText& call(const std::string& name, const std::string& arguments, int pause = 0) {
    now_ += pause;
    text_ += fmt::format("MPI_{} entering at walltime 7.{:09}, cputime 0.0 seconds in thread 0.\n",
                         name, now_);
    now_ += 10;
    text_ += arguments;
    text_ += fmt::format("MPI_{} returning at walltime 7.{:09}, cputime 0.0 seconds in thread 0.\n",
                         name, now_);
    return *this;
  }
  RankText& send(const std::string& name, int to, int tag, const std::string& more = "",
                 const std::string& comm = kWorld) {
    return call(name, fmt::format("int count=5\n{}int dest={}\nint tag={}\n{}{}", kInt, to, tag,
                                  comm, more));
  }
  RankText& receive(const std::string& name, const std::string& from, const std::string& tag,
                    const std::string& more = "", const std::string& comm = kWorld) {
    return call(name, fmt::format("int count=5\n{}int source={}\nint tag={}\n{}{}", kInt, from, tag,
                                  comm, more));
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  int now_ = 0;
  std::string text_ = "version=1.0.0\nhostname=example\n";
};

Result<Trace> read_texts(const std::vector<std::string>& texts, const ParameterTexts& given = {}) {
  std::vector<NamedText> named;
  for (std::size_t i = 0; i < texts.size(); ++i)
    named.push_back({fmt::format("test-{}.txt", i), texts[i]});
  return read_dumpi(named, "test", Parameters::resolve(dumpi_parameters(), given).value());
}

program::Program read(const std::vector<std::string>& texts, const ParameterTexts& given = {}) {
  auto trace = read_texts(texts, given);
  EXPECT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(to_string(check(trace->program, program::Markers::refuse)), "");
  return std::move(trace->program);
}

std::string refused(const std::vector<std::string>& texts) {
  const auto trace = read_texts(texts);
  return trace ? "" : to_string(trace.error());
}

void expect_said(const std::string& said, const std::string& what) {
  EXPECT_NE(said.find(what), std::string::npos) << what << "\nin\n" << said;
}

TEST(Dumpi, ComputesBetweenCalls) {
  const std::string text =
      RankText().call("Init", "").call("Comm_rank", "", 700).call("Finalize", "", 300).text();
  EXPECT_EQ(summarize(read({text})).compute_time, 1us);
  EXPECT_EQ(summarize(read({text}, {{"compute", "50%"}})).compute_time, 500ns);
  EXPECT_EQ(summarize(read({text}, {{"compute", "0"}})).computations, 0U);
}

TEST(Dumpi, SendsAndReceivesElementsOfADatatype) {
  const auto program = read({RankText().send("Send", 1, 3).send("Ssend", 1, 4).text(),
                             RankText()
                                 .receive("Recv", "0", "3", "MPI_Status status=<IGNORED>\n")
                                 .receive("Recv", "-1 (MPI_ANY_SOURCE)", "-1 (MPI_ANY_TAG)")
                                 .text()});
  EXPECT_EQ(program.rank(0)[0],
            (Operation{.kind = Operation::Kind::send, .peer = 1, .tag = 3, .size = bytes(20)}));
  EXPECT_EQ(program.rank(1)[1].peer, program::kAny);
  EXPECT_EQ(program.rank(1)[1].tag, program::kAny);
  EXPECT_EQ(program.rank(0).dependencies(1), 1U);  // one call after the other
}

TEST(Dumpi, LeavesOutWhatGoesToNobody) {
  EXPECT_EQ(
      summarize(read({RankText().send("Send", -2, 3).receive("Recv", "-2", "3").text()})).sends,
      0U);
}

// What follows a wait, or a test that succeeded, waits for the operation of the request.
TEST(Dumpi, WaitsForRequests) {
  const std::string request = "MPI_Request request=[7]\n";
  for (const auto& [name, arguments] : std::vector<std::pair<std::string, std::string>>{
           {"Wait", request + "MPI_Status status=[{bytes=160, cancelled=0, source=9}]\n"},
           {"Test", request + "int flag=1\n"},
           {"Waitall", "int count=2\nMPI_Request requests[2]=[1, 7]\n"},
           {"Testall", "int count=1\nMPI_Request requests[1]=[7]\nint flag=1\n"},
           {"Waitany", "MPI_Request requests[2]=[1, 7]\nint index=1\n"},
           {"Testany", "MPI_Request requests[2]=[1, 7]\nint index=1\nint flag=1\n"},
           {"Waitsome", "MPI_Request requests[2]=[1, 7]\nint outcount=1\nint indices[1]=[1]\n"}}) {
    SCOPED_TRACE(name);
    const auto program = read({RankText()
                                   .receive("Irecv", "1", "3", request)
                                   .call(name, arguments)
                                   .send("Send", 1, 4)
                                   .text(),
                               RankText().send("Send", 0, 3).receive("Recv", "0", "4").text()});
    EXPECT_EQ(program.rank(0).dependencies(1), 1U);
  }
  const auto program = read({RankText()
                                 .receive("Irecv", "1", "3", request)
                                 .call("Test", request + "int flag=0\n")
                                 .send("Send", 1, 4)
                                 .text(),
                             RankText().send("Send", 0, 3).receive("Recv", "0", "4").text()});
  EXPECT_EQ(program.rank(0).dependencies(1), 0U);
}

TEST(Dumpi, StartsPersistentRequestsAsOftenAsItSays) {
  const std::string request = "MPI_Request request=[7]\n";
  RankText sender;
  sender.send("Send_init", 1, 3, request);
  for (int i = 0; i < 3; ++i) sender.call("Start", request).call("Wait", request);
  sender.call("Request_free", request);
  RankText receiver;
  for (int i = 0; i < 3; ++i) receiver.receive("Recv", "0", "3");
  EXPECT_EQ(summarize(read({sender.text(), receiver.text()})).sends, 3U);
}

// Ranks 0, 2 and 1, 3 with keys that turn their order round: rank 0 of each is the higher one.
TEST(Dumpi, FollowsCommunicatorsThatAreSplit) {
  std::vector<std::string> texts;
  const std::string sub = "MPI_Comm comm=5 (user-defined-comm)\n";
  for (int rank = 0; rank < 4; ++rank) {
    RankText text;
    text.call("Comm_split",
              fmt::format("MPI_Comm oldcomm=2 (MPI_COMM_WORLD)\nint color={}\nint key={}\n"
                          "MPI_Comm newcomm=5 (user-defined-comm)\n",
                          rank % 2, -rank));
    text.call("Bcast", "int count=3\n" + std::string(kInt) + "int root=0\n" + sub);
    if (rank == 3) text.send("Send", 1, 9, "", sub);
    if (rank == 1) text.receive("Recv", "0", "9", "", sub);
    texts.push_back(text.text());
  }
  const auto program = read(texts);
  EXPECT_EQ(program.rank(2)[0].kind, Operation::Kind::send);
  EXPECT_EQ(program.rank(2)[0].peer, 0U);
  EXPECT_EQ(program.rank(3)[1].peer, 1U);
  EXPECT_EQ(program.rank(1)[1].peer, 3U);
}

// The same tag in two communicators is two tags.
TEST(Dumpi, KeepsMessagesOfCommunicatorsApart) {
  const std::string dup = "MPI_Comm oldcomm=2 (MPI_COMM_WORLD)\nMPI_Comm newcomm=5 (user)\n";
  const std::string other = "MPI_Comm comm=5 (user)\n";
  const auto program = read(
      {RankText().call("Comm_dup", dup).send("Send", 1, 3).send("Send", 1, 3, "", other).text(),
       RankText()
           .call("Comm_dup", dup)
           .receive("Recv", "0", "3", "", other)
           .receive("Recv", "0", "3")
           .text()});
  EXPECT_NE(program.rank(0)[0].tag, program.rank(0)[1].tag);
  EXPECT_EQ(program.rank(0)[1].tag, program.rank(1)[0].tag);
}

TEST(Dumpi, KnowsTheSizesOfDatatypesThatItSawMade) {
  const auto program =
      read({RankText()
                .call("Type_vector",
                      "int count=3\nint blocklength=2\nint stride=9\n"
                      "MPI_Datatype oldtype=12 (MPI_DOUBLE)\n"
                      "MPI_Datatype newtype=30 (user-defined-datatype)\n")
                .call("Type_struct",
                      "int count=2\nint lengths[2]=[1, 4]\nint indices[2]=[0, 8]\n"
                      "MPI_Datatype oldtypes[2]=[30, 12]\n"
                      "MPI_Datatype newtype=31 (user-defined-datatype)\n")
                .call("Send",
                      "int count=2\nMPI_Datatype datatype=31 (user-defined-datatype)\n"
                      "int dest=0\nint tag=0\n" +
                          std::string(kWorld))
                .receive("Recv", "0", "0")
                .text()});
  EXPECT_EQ(program.rank(0)[0].size, bytes(2 * (3 * 2 * 8 + 4 * 8)));
}

TEST(Dumpi, TakesCollectiveOperationsApart) {
  std::vector<std::string> texts;
  for (int rank = 0; rank < 3; ++rank) {
    const std::string world = kWorld;
    const std::string type = kInt;
    const std::string both =
        "int sendcount=2\nMPI_Datatype sendtype=9 (MPI_INT)\nint recvcount=2\n"
        "MPI_Datatype recvtype=9 (MPI_INT)\n";
    const std::string lists =
        "int sendcount=2\nMPI_Datatype sendtype=9 (MPI_INT)\nint recvcount=2\n"
        "MPI_Datatype recvtype=9 (MPI_INT)\nint sendcounts[3]=[1, 2, 3]\n"
        "int recvcounts[3]=[1, 2, 3]\n";
    texts.push_back(RankText()
                        .call("Barrier", world)
                        .call("Reduce", "int count=2\n" + type + "int root=2\n" + world)
                        .call("Allreduce", "int count=2\n" + type + world)
                        .call("Gather", both + "int root=1\n" + world)
                        .call("Scatter", both + "int root=1\n" + world)
                        .call("Allgather", both + world)
                        .call("Alltoall", both + world)
                        .call("Gatherv", lists + "int root=1\n" + world)
                        .call("Scatterv", lists + "int root=1\n" + world)
                        .call("Allgatherv", lists + world)
                        .call("Alltoallv", lists + world)
                        .call("Reduce_scatter", lists + type + world)
                        .call("Scan", "int count=2\n" + type + world)
                        .text());
  }
  EXPECT_EQ(summarize(read(texts)).sends, 6U + 2 + 12 + 2 + 2 + 6 + 6 + 2 + 2 + 6 + 6 + 6 + 2);
}

TEST(Dumpi, SaysWhatItLeftOut) {
  const auto trace = read_texts({RankText()
                                     .call("Wait", "MPI_Request request=[9]\n")
                                     .call("File_open", "")
                                     .call("File_close", "", -5)
                                     .text()});
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(trace->repairs,
            (std::vector<std::string>{
                "a call begins before the one before it has returned: nothing is computed between "
                "them (at test-0.txt:8)",
                "a wait for a request that is not open was left out (at test-0.txt:3)",
                "probes, files and windows were left out (2 times, first at test-0.txt:6)"}));
}

TEST(Dumpi, NamesEveryMistakeWithItsLine) {
  const std::string said =
      refused({RankText()
                   .send("Send", 5, 1)
                   .call("Barrier", "MPI_Comm comm=8 (user)\n")
                   .call("Bcast", "int count=1\nMPI_Datatype datatype=40 (user)\nint root=3\n" +
                                      std::string(kWorld))
                   .call("Put", "")
                   .call("Recv", "")
                   .text()});
  expect_said(said, "test-0.txt:3: error: dest is 5, and the communicator has 1 ranks");
  expect_said(said, "test-0.txt:10: error: communicator 8 (user) comes from no MPI_Comm_dup");
  expect_said(said, "test-0.txt:13: error: the size of datatype 40 (user) is not known");
  expect_said(said, "test-0.txt:13: error: the root is 3, and the communicator has 1 ranks");
  expect_said(said, "test-0.txt:19: error: MPI_Put is not followed");
  expect_said(said, "test-0.txt:21: error: MPI_Recv has no number 'count'");
  expect_said(refused({RankText().call("Comm_size", std::string(kWorld) + "int size=2\n").text()}),
              "MPI_COMM_WORLD has 2 ranks, and there are 1 files");
  expect_said(refused({"MPI_Init entering at walltime 7.1, cputime\n"}),
              "test-0.txt:1: error: the time");
  expect_said(refused({"MPI_Init entering at walltime 7.000000001, cputime\n"}),
              "ends inside of MPI_Init");
  expect_said(refused({"MPI_Init returning at walltime 7.000000001, cputime\n"}),
              "returns where no call");
}

TEST(Corpus, TracesOfDumpiAreAnswered) {
  const auto is_read = [](const std::string& text) { return read_texts({text}).has_value(); };
  EXPECT_GE(test::replay_corpus("dumpi", is_read), 1);
}

// Four ranks; any of the files names all.
TEST(DumpiFiles, AreNamedByOneOfThem) {
  const std::string folder = EBB_SOURCE_DIR "/tests/cli/files/dumpi/";
  const auto trace = read_trace(folder + "ring-0002.txt", {});
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(trace->format, "dumpi");
  EXPECT_EQ(trace->program.ranks(), 4U);
  EXPECT_EQ(to_string(check(trace->program, program::Markers::refuse)), "");
}

TEST(DumpiFiles, AreRefusedWhenOneIsMissing) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "dumpi_missing";
  std::filesystem::create_directories(folder);
  for (const char* name : {"job-0.txt", "job-2.txt"})
    std::ofstream(folder / name) << RankText().call("Init", "").text();
  const auto trace = read_trace(folder / "job-0.txt", {});
  ASSERT_FALSE(trace);
  expect_said(to_string(trace.error()), "there is a file of rank 2 and none of rank 1");
}

}  // namespace
}  // namespace ebb::trace
