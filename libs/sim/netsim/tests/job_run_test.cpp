// SPDX-License-Identifier: Apache-2.0
//
// Runs of jobs: how long they take, what they cost, and what their critical path consists of. On
// the line of two switches a packet takes 400 ns for its bits, 3 x 50 ns for cables and 2 x 100 ns
// for switches (tiny_network.hpp); channel 2 leads from the first switch to the second.
#include "experiment_parts.hpp"
#include "job_parts.hpp"

#include "ebb/policy/policy.hpp"
#include "ebb/program/goal.hpp"

#include <numeric>
#include <string>

namespace ebb::netsim {
namespace {

using policy::RateLevel;
using program::Job;
using program::Jobs;
using program::Program;

constexpr Duration kWake = 2us;
const topology::RateTable kTwoRates = {k10G, k40G};

const Program kThereAndBack =
    program::read_goal_text(
        "num_ranks 2\nrank 0 {\na: send 2000b to 1\nb: recv 2000b from 1\n}\n"
        "rank 1 {\na: recv 2000b from 0\nc: calc 100\nc requires a\nb: send 2000b to 0\n"
        "b requires c\n}\n",
        "test.goal")
        .value();

// On the line, with links that may sleep.
Report run_on_a_line(Jobs& jobs, policy::Policy& policy, Duration limit = 1ms) {
  const topology::Graph graph = line(2, {kTwoRates});
  const FirstPath routing(graph);
  const traffic::MessageList nothing(2, {});
  return run({.graph = graph,
              .routing = routing,
              .workload = nothing,
              .policy = policy,
              .models = {sleepy(kTwoRates, kWake, 1us)},
              .switch_core = watts(10),
              .hardware = tiny_hardware(),
              .schedule = {.measure = limit},
              .jobs = &jobs});
}

JobReport run_there_and_back(policy::Policy& policy, const program::HostCosts& costs = {}) {
  Jobs jobs(2, {{kThereAndBack, {0, 1}, {}, "there and back"}}, costs);
  const Report report = run_on_a_line(jobs, policy);
  EXPECT_EQ(report.jobs.size(), 1U);
  EXPECT_TRUE(report.jobs[0].done);
  EXPECT_EQ(report.jobs[0].path.total(), report.jobs[0].time());
  EXPECT_GE(report.to, report.jobs[0].end);
  return report.jobs[0];
}

Power full_power() { return sleepy(kTwoRates, kWake, 1us).rate_levels.back().power; }

TEST(ARunOfAJob, TellsItsTimeItsEnergyAndItsPath) {
  Says policy;
  const JobReport job = run_there_and_back(policy);
  EXPECT_EQ(job.time(), 2 * 750ns + 100ns);
  EXPECT_EQ(job.path.computing, 100ns);
  EXPECT_EQ(job.path.transmission, 2 * 750ns);
  EXPECT_EQ(job.path.queueing, 0ns);
  EXPECT_EQ(job.path.messages, 2U);
  // Six channels, two cores, to the last attojoule although nobody looked at that time.
  EXPECT_EQ(job.energy, (6 * full_power() + watts(20)) * 1600ns);
  EXPECT_EQ(job.at_full_rate, job.energy);
  EXPECT_EQ(job.ranks[0].busy, 0ns);
  EXPECT_EQ(job.ranks[1].busy, 100ns);
}

TEST(ARunOfAJob, PaysForSendsAndReceives) {
  Says policy;
  const JobReport job =
      run_there_and_back(policy, {.send_overhead = 10ns, .receive_overhead = 20ns});
  EXPECT_EQ(job.time(), 2 * (10ns + 750ns + 20ns) + 100ns);
  EXPECT_EQ(job.path.overhead, 60ns);
}

// The head of the packet is at the first switch after 150 ns; the channel sleeps until then, wakes
// for 2 us, and is on from then on.
TEST(ARunOfAJob, TellsThatItWaitedForALinkToWake) {
  Says policy = at_start({{policy::ChannelId{2}, policy::Sleep{}},
                          {policy::ChannelId{2}, policy::WakeWhenQueued{bits(1)}}});
  const JobReport job = run_there_and_back(policy);
  EXPECT_EQ(job.time(), 1600ns + kWake);
  EXPECT_EQ(job.path.waking, (LevelTimes{0ns, kWake, 0ns, 0ns}));
  EXPECT_EQ(job.path.transmission, 2 * 750ns);
  const ChannelModel model = sleepy(kTwoRates, kWake, 1us);
  const Power changing = power::power_while_changing(model.sleep->power, full_power());
  EXPECT_EQ(job.at_full_rate - job.energy,
            (full_power() - model.sleep->power) * 150ns + (full_power() - changing) * kWake);
}

// Three links sleep on the way. On demand each wakes when the message is there, announced they wake
// together, and one that is planned finds them awake.
TEST(ARunOfAJob, WaitsForLinksAsLongAsTheyKnowTooLittle) {
  const Program program = program::read_goal_text(
                              "num_ranks 2\nrank 0 {\nc: calc 100000\nb: send 2000b to 1\n"
                              "b requires c\n}\nrank 1 {\na: recv 2000b from 0\n}\n",
                              "test.goal")
                              .value();
  const auto time_of = [&](std::string_view name) {
    Jobs jobs(2, {{program, {0, 1}, {}, "one message"}}, {});
    return run_on_a_line(jobs, *policy::make_policy(name, {})->policy).jobs[0].time();
  };
  EXPECT_EQ(time_of("on-demand"), 100us + 750ns + 3 * kWake);
  EXPECT_EQ(time_of("wake-ahead"), 100us + 750ns + kWake);
  EXPECT_EQ(time_of("scheduled"), 100us + 750ns);
}

TEST(ARunOfAJob, TellsThatTheLinkOfItsHostSlept) {
  Says policy = at_start({{policy::ChannelId{0}, policy::Sleep{}},
                          {policy::ChannelId{0}, policy::WakeWhenQueued{bits(1)}}});
  EXPECT_EQ(run_there_and_back(policy).path.waking, (LevelTimes{kWake, 0ns, 0ns, 0ns}));
}

// From 40 to 10 Gb/s a packet takes 1200 ns more; the change itself, of 1 us, is over 850 ns after
// the packet has come.
TEST(ARunOfAJob, TellsThatALinkWasSlow) {
  Says policy = at_start({{policy::ChannelId{2}, policy::SetRateLevel{RateLevel{0}}}});
  const JobReport job = run_there_and_back(policy);
  EXPECT_EQ(job.path.slower, 1200ns);
  EXPECT_EQ(job.path.waking[1], 850ns);
  EXPECT_EQ(job.path.queueing, 0ns);
  EXPECT_EQ(job.time(), 1600ns + 1200ns + 850ns);
}

// Long messages are asked for: request, answer and data are on the path.
TEST(ARunOfAJob, HasRequestsOnItsPath) {
  Says policy;
  const JobReport job =
      run_there_and_back(policy, {.rendezvous_above = bytes(1999), .control_size = bytes(50)});
  EXPECT_EQ(job.time(), 2 * (2 * 360ns + 750ns) + 100ns);
  EXPECT_EQ(job.path.transmission, 2 * (2 * 360ns + 750ns));
  EXPECT_EQ(job.path.messages, 4U);
}

// A job that is cut off is measured up to there: what its account says is what the ledger says.
TEST(TheEnergyOfAJob, IsThatOfTheLedger) {
  const Program program = scattered_messages(1024);
  std::uint64_t changes = 0;
  for (const Duration limit : {3us, 10us, 17us}) {
    const Report report = run_reported_job(program, 1, limit);
    ASSERT_FALSE(report.jobs[0].done);
    EXPECT_EQ(report.jobs[0].end, report.to);
    EXPECT_EQ(report.jobs[0].energy, report.ledger.total());
    changes += report.ledger.totals(power::ClassIndex{0}).transitions;
  }
  EXPECT_GT(changes, 1000U);
}

// With waking and slow links on the path.
TEST(ARunOfAJob, IsTheSameOnAnyNumberOfThreads) {
  const Program program = scattered_messages(1024);
  const Report one = run_reported_job(program, 1);
  ASSERT_TRUE(one.jobs[0].done);
  EXPECT_EQ(one.jobs[0].path.total(), one.jobs[0].time());
  EXPECT_GT(one.jobs[0].path.waking[1], 0ns);
  for (const std::uint32_t threads : {2U, 4U})
    EXPECT_TRUE(same(one.jobs[0], run_reported_job(program, threads).jobs[0])) << threads;
}

TEST(JobsAtTheSameTime, ShareTheEnergyByTheirHosts) {
  const topology::Graph graph = line(2, {kTwoRates});
  const Program one = program::read_goal_text("num_ranks 1\nrank 0 { calc 4000\n}\n", "a").value();
  Jobs jobs(2, {{one, {0}, {}, "early"}, {one, {1}, at(1us), "late"}}, {});
  Says policy;
  const Report report = run_on_a_line(jobs, policy);
  const Power power = 6 * full_power() + watts(20);
  EXPECT_EQ(report.jobs[0].energy, power * 1us + power * 1500ns);
  EXPECT_EQ(report.jobs[1].energy, power * 1500ns + power * 1us);
  EXPECT_EQ(report.jobs[1].time(), 4us);
}

TEST(AJobThatStalls, EndsTheRunAndSaysWhoWaits) {
  const Program program = program::read_goal_text(
                              "num_ranks 2\nrank 0 {\na: recv 1b from 1\nb: send 1b to 1\n"
                              "b requires a\n}\nrank 1 {\na: recv 1b from 0\nb: send 1b to 0\n"
                              "b requires a\n}\n",
                              "test.goal")
                              .value();
  Jobs jobs(2, {{program, {0, 1}, {}}}, {});
  Says policy;
  const Report report = run_on_a_line(jobs, policy, 1s);
  ASSERT_TRUE(report.stall.has_value());
  EXPECT_EQ(report.stall->chain.size(), 2U);
  EXPECT_NE(report.stall->chain[0].find("waits for a message from rank 1"), std::string::npos);
  EXPECT_FALSE(report.jobs[0].done);
  EXPECT_LT(report.to, at(100ms));
}

}  // namespace
}  // namespace ebb::netsim
