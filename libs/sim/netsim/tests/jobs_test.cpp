// SPDX-License-Identifier: Apache-2.0
//
// Programs on the network: ranks go on by what is delivered to their hosts. A packet of 2000 bytes
// takes 400 ns at 40 Gb/s, a switch 100 ns and a cable 50 ns (tiny_network.hpp).
#include "job_parts.hpp"
#include "tiny_network.hpp"

#include "ebb/program/builder.hpp"
#include "ebb/program/check.hpp"
#include "ebb/program/goal.hpp"
#include "ebb/program/job.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"

#include <bit>
#include <deque>
#include <functional>
#include <numeric>
#include <string>

namespace ebb::netsim {
namespace {

using namespace std::chrono_literals;
using program::HostCosts;
using program::Job;
using program::Jobs;
using program::Operation;
using program::Program;
using program::RankBuilder;
using program::RankTimes;
using Kind = Operation::Kind;

Program of_text(std::string_view text) {
  return program::read_goal_text(text, "test.goal").value();
}

// To the end, or until nothing moves any more.
void run(const topology::Graph& graph, Jobs& jobs) {
  const FirstPath routing(graph);
  Watcher watcher;
  Network network({graph, routing, {rates_only({k40G})}, tiny_hardware(), watts(10), 1}, jobs,
                  watcher);
  network.run_until_idle();
  EXPECT_EQ(to_string(network.check_conservation()), "");
}

// Two ranks at the ends of a line of two switches. A message of n full packets takes
// n x 400 + 2 x 100 + 3 x 50 ns.
std::vector<RankTimes> on_a_line(std::string_view text, const HostCosts& costs = {},
                                 TimePoint start = {}) {
  const Program program = of_text(text);
  Jobs jobs(2, {{program, {0, 1}, start}}, costs);
  run(line(2, {{k40G}}), jobs);
  EXPECT_EQ(to_string(jobs.stalled()), "");
  return jobs.ranks(0);
}

constexpr std::string_view kPingPong =
    "num_ranks 2\nrank 0 {\na: send 2000b to 1\nb: recv 2000b from 1\n}\n"
    "rank 1 {\na: recv 2000b from 0\nc: calc 100\nc requires a\nb: send 2000b to 0\nb requires "
    "c\n}\n";

TEST(AJob, GoesOnWhenItsMessagesAreThere) {
  const auto ranks = on_a_line(kPingPong);
  EXPECT_EQ(ranks[1].end, at(750ns + 100ns));
  EXPECT_EQ(ranks[0].end, at(750ns + 100ns + 750ns));
  EXPECT_EQ(ranks[1].computing, 100ns);
  EXPECT_EQ(ranks[0].sent, 1U);
}

TEST(AJob, BeginsAtItsTime) {
  EXPECT_EQ(on_a_line(kPingPong, {}, at(5us))[0].end, at(5us + 1600ns));
}

TEST(AJob, PaysForEverySendAndReceive) {
  const auto ranks = on_a_line(kPingPong, {.send_overhead = 10ns, .receive_overhead = 20ns});
  EXPECT_EQ(ranks[0].end, at(10ns + 750ns + 20ns + 100ns + 10ns + 750ns + 20ns));
  EXPECT_EQ(ranks[0].overhead, 30ns);
}

// The request and the answer, of 50 bytes, take 10 + 350 ns each; the data, of two packets, 1150.
TEST(AJob, AsksBeforeItSendsALongMessage) {
  const auto run = [](const std::string& later) {
    return on_a_line(
        "num_ranks 2\nrank 0 {\na: send 4000b to 1\nb: calc 5\nb requires a\n}\n"
        "rank 1 {\nw: calc " +
            later + "\nr: recv 4000b from 0\nr requires w\n}\n",
        {.rendezvous_above = bytes(3999), .control_size = bytes(50)});
  };
  const auto ready = run("0");
  EXPECT_EQ(ready[0].end, at(2 * 360ns + 5ns));
  EXPECT_EQ(ready[1].end, at(2 * 360ns + 1150ns));
  EXPECT_EQ(ready[0].sent, 2U);
  EXPECT_EQ(ready[1].sent, 1U);
  EXPECT_EQ(run("10000")[1].end, at(10us + 360ns + 1150ns));
}

// Both ranks compute on another CPU while the message is on its way; an empty message is one of
// 64 bytes, 12.8 ns.
TEST(AJob, ComputesWhileItWaits) {
  const auto ranks = on_a_line(
      "num_ranks 2\nrank 0 {\nsend 0b to 1\nsend 8b to 0 tag 1\nrecv 8b from 0 tag 1\ncalc 300 cpu "
      "1\n}\n"
      "rank 1 {\nrecv 0b from 0\ncalc 200\n}\n");
  EXPECT_EQ(ranks[1].end, TimePoint(Duration(12800) + 350ns));
  EXPECT_EQ(ranks[0].end, at(300ns));
}

TEST(AJob, SendsMarkersToNobody) {
  const auto ranks = on_a_line("num_ranks 2\nrank 0 {\nsend 0b to 9\n}\n", {.send_overhead = 5ns});
  EXPECT_TRUE(ranks[0].is_done);
  EXPECT_EQ(ranks[0].sent, 0U);
  EXPECT_EQ(ranks[0].overhead, 5ns);
}

TEST(AJob, SaysWhoWaitsForWhatWhenItStalls) {
  const Program program = of_text(
      "num_ranks 2\nrank 0 {\na: recv 1b from 1\nb: send 1b to 1\nb requires a\n}\n"
      "rank 1 {\na: recv 1b from 0\nb: send 1b to 0\nb requires a\n}\n");
  Jobs jobs(2, {{program, {0, 1}, {}}}, {});
  run(line(2, {{k40G}}), jobs);
  const std::string said = to_string(jobs.stalled());
  EXPECT_NE(
      said.find("test.goal:3: error: the program stalls: the rank waits for a message from rank 1"),
      std::string::npos)
      << said;
  EXPECT_FALSE(jobs.ranks(0)[0].is_done);
}

TEST(Jobs, AreRefusedWhereTheyDoNotFit) {
  const Program program = of_text(kPingPong);
  const std::string said =
      to_string(Jobs::validate(2, {{program, {0, 2}, {}}, {program, {0}, {}}}));
  for (const char* what : {"host 2 does not exist", "1 hosts for 2 ranks", "host 0 has two ranks"})
    EXPECT_NE(said.find(what), std::string::npos) << what << "\nin\n" << said;
}

// Collective operations on hosts of one switch, where no two packets meet: a message of s bytes
// takes s / 5 ns for its bits at 40 Gb/s, 2 x 50 ns for cables and 100 ns for the switch, and all
// ranks take every step at the same time.
Duration step_time(std::int64_t size) { return Duration(200 * size) + 200ns; }

using Steps =
    std::vector<std::pair<std::uint32_t, std::int64_t>>;  // destination and bytes, by step

// In each step a rank sends and receives; the next begins when it has received.
Program exchange(std::uint32_t ranks, const std::function<Steps(std::uint32_t)>& sends,
                 const std::function<Steps(std::uint32_t)>& receives) {
  program::ProgramBuilder builder(ranks);
  for (std::uint32_t which = 0; which < ranks; ++which) {
    RankBuilder rank;
    const Steps out = sends(which);
    const Steps in = receives(which);
    std::uint32_t received = 0;
    for (std::uint32_t step = 0; step < out.size(); ++step) {
      const std::uint32_t sent = rank.add({.kind = Kind::send,
                                           .peer = out[step].first,
                                           .tag = step,
                                           .size = bytes(out[step].second)});
      if (step > 0) rank.wait_for_end(sent, received);
      received = rank.add({.kind = Kind::receive,
                           .peer = in[step].first,
                           .tag = step,
                           .size = bytes(in[step].second)});
    }
    builder.add(rank);
  }
  Program program = std::move(builder).build("made");
  EXPECT_EQ(to_string(check(program, program::Markers::refuse)), "");
  return program;
}

topology::Graph star(std::uint32_t hosts) {
  topology::GraphBuilder builder(1, hosts, {{k40G}});
  for (std::uint32_t h = 0; h < hosts; ++h)
    builder.connect(builder.host_node(h), builder.switch_node(0));
  return std::move(builder).build({});
}

void expect_all_end(const Program& program, Duration end) {
  Jobs jobs(program.ranks(), {{program, first_hosts(program.ranks()), {}}},
            {.rendezvous_above = bytes(1'000'000'000)});
  run(star(program.ranks()), jobs);
  for (const RankTimes& rank : jobs.ranks(0)) {
    ASSERT_TRUE(rank.is_done);
    ASSERT_EQ(rank.end.time_since_epoch(), end);
  }
}

class Collective : public testing::TestWithParam<std::uint32_t> {};

// 2 (p - 1) steps of a p-th of the data.
TEST_P(Collective, ARingAllReduceTakesItsFormula) {
  const std::uint32_t p = GetParam();
  constexpr std::int64_t kEach = 1500;
  const auto to = [&](std::uint32_t peer) { return Steps(2 * (p - 1), {peer, kEach}); };
  const Program program = exchange(
      p, [&](std::uint32_t r) { return to((r + 1) % p); },
      [&](std::uint32_t r) { return to((r + p - 1) % p); });
  expect_all_end(program, 2 * (p - 1) * step_time(kEach));
}

// log2 p steps of all the data.
TEST_P(Collective, ARecursiveDoublingAllReduceTakesItsFormula) {
  const std::uint32_t p = GetParam();
  const int steps = std::countr_zero(p);
  const auto partners = [&](std::uint32_t r) {
    Steps all;
    for (int k = 0; k < steps; ++k) all.emplace_back(r ^ (1U << k), 9000);
    return all;
  };
  expect_all_end(exchange(p, partners, partners), steps * step_time(9000));
}

// log2 p steps of a half, a quarter ... of the data, and the same back.
TEST_P(Collective, AHalvingDoublingAllReduceTakesItsFormula) {
  const std::uint32_t p = GetParam();
  const int steps = std::countr_zero(p);
  constexpr std::int64_t kAll = 512 * 300;
  const auto partners = [&](std::uint32_t r) {
    Steps all;
    for (int k = 0; k < steps; ++k) all.emplace_back(r ^ (p >> (k + 1)), kAll >> (k + 1));
    for (int k = steps - 1; k >= 0; --k) all.emplace_back(r ^ (p >> (k + 1)), kAll >> (k + 1));
    return all;
  };
  Duration end{};
  for (int k = 0; k < steps; ++k) end += 2 * step_time(kAll >> (k + 1));
  expect_all_end(exchange(p, partners, partners), end);
}

// p - 1 steps, in each of them to another.
TEST_P(Collective, APairwiseAllToAllTakesItsFormula) {
  const std::uint32_t p = GetParam();
  const auto partners = [&](std::uint32_t r) {
    Steps all;
    for (std::uint32_t k = 1; k < p; ++k) all.emplace_back(r ^ k, 700);
    return all;
  };
  expect_all_end(exchange(p, partners, partners), (p - 1) * step_time(700));
}

INSTANTIATE_TEST_SUITE_P(Ranks, Collective, testing::Values(8U, 64U, 512U));

TEST(JobsOnThreads, AreTheSameOnAnyNumber) {
  const Program program = scattered_messages(1024);
  ASSERT_EQ(to_string(check(program, program::Markers::refuse)), "");
  const auto alone = run_job(program, 1);
  EXPECT_GT(alone[0].end, at(4us));
  for (const std::uint32_t threads : {2U, 4U})
    EXPECT_EQ(run_job(program, threads), alone) << threads;
}

}  // namespace
}  // namespace ebb::netsim
