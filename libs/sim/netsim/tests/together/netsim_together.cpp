// SPDX-License-Identifier: Apache-2.0
//
// Run by mpirun: however the switches are spread over ranks and their threads, the run is the same,
// bit for bit, as in one process.
#include "../experiment_parts.hpp"
#include "../job_parts.hpp"
#include "../same_run.hpp"
#include "../tiny_network.hpp"

#include "ebb/mpi/communicator.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace ebb::netsim {
namespace {

using namespace same_run;

std::unique_ptr<mpi::Communicator> joined;

class RanksOf : public testing::TestWithParam<Case> {};

TEST_P(RanksOf, AnyNumberGivesTheSameRun) {
  for (const std::uint32_t threads : {1U, 2U}) {
    SCOPED_TRACE(threads);
    const Outcome together = simulate(GetParam(), threads, *joined);
    if (!joined->first()) continue;
    const Outcome alone = simulate(GetParam(), 1);
    EXPECT_GT(alone.report.packet_latency.count(), 500U);
    expect_same(alone, together);
  }
}

class DividedPolicies : public testing::TestWithParam<Case> {};

// What travels between ranks is then only what is seen of links between them.
TEST_P(DividedPolicies, DoTheSameOnRanks) {
  for (const std::uint32_t threads : {1U, 2U}) {
    SCOPED_TRACE(threads);
    const Outcome together = simulate(GetParam(), threads, *joined, Policies::divided);
    if (!joined->first()) continue;
    expect_same(simulate(GetParam(), 1).report, together.report);
  }
}

INSTANTIATE_TEST_SUITE_P(All, RanksOf, testing::ValuesIn(cases()), name_of);
INSTANTIATE_TEST_SUITE_P(All, DividedPolicies, testing::ValuesIn(link_by_link()), name_of);

// A rank of the job that is done was run here, and is as in one process; each is on one rank of
// MPI.
TEST(Jobs, AreTheSameOnRanks) {
  const program::Program program = scattered_messages(1024);
  const auto alone = run_job(program, 1);
  const auto here = run_job(program, 1, *joined);
  std::uint64_t done = 0;
  for (std::size_t rank = 0; rank < alone.size(); ++rank) {
    if (!here[rank].is_done) continue;
    ++done;
    EXPECT_EQ(here[rank], alone[rank]) << rank;
  }
  Bytes mine;
  append(mine, done);
  std::uint64_t everywhere = 0;
  for (const Bytes& one : joined->all_gather(mine))
    everywhere += ByteReader(one).take<std::uint64_t>();
  EXPECT_EQ(everywhere, alone.size());
}

// With energies and a critical path that leads from process to process.
TEST(Jobs, AreReportedTheSameOnRanks) {
  const program::Program program = scattered_messages(1024);
  const Report alone = run_reported_job(program, 1);
  const Report here = run_reported_job(program, 1, 1ms, *joined);
  EXPECT_EQ(here.jobs[0].end, alone.jobs[0].end);
  EXPECT_EQ(here.jobs[0].path, alone.jobs[0].path);
  if (joined->first()) {
    EXPECT_TRUE(same(here.jobs[0], alone.jobs[0]));
  }
}

Report deadlock(mpi::Communicator& communicator) {
  const topology::Graph graph = Clockwise::ring();
  const Clockwise routing;
  const Every injection(1us);
  const To pattern({2, 3, 0, 1});
  const traffic::IndependentHosts workload(pattern, injection, 4);
  Says policy;
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = kPacket;
  return run({.graph = graph,
              .routing = routing,
              .workload = workload,
              .policy = policy,
              .models = {sleepy({k40G}, 2us)},
              .hardware = hardware,
              .schedule = {.warm_up = 500us, .measure = 1ms, .tail_limit = 1ms},
              .communicator = communicator});
}

// The chain of what waits for what goes from rank to rank.
TEST(RanksOfADeadlock, TellTheSameChain) {
  const Report alone = deadlock(mpi::serial_communicator());
  const Report together = deadlock(*joined);
  ASSERT_TRUE(alone.stall);
  ASSERT_TRUE(together.stall);
  EXPECT_EQ(alone.stall->chain.size(), 5U);
  EXPECT_EQ(alone.stall->chain, together.stall->chain);
  EXPECT_EQ(alone.stall->packets, together.stall->packets);
  EXPECT_EQ(alone.stall->since, together.stall->since);
}

}  // namespace
}  // namespace ebb::netsim

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  ebb::netsim::joined = ebb::mpi::mpi_init().value();
  const int code = RUN_ALL_TESTS();
  ebb::netsim::joined.reset();
  return code;
}
