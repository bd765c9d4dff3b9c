// SPDX-License-Identifier: Apache-2.0
//
// A job that is run with the work divided in several ways.
#pragma once

#include "tiny_network.hpp"

#include "ebb/mpi/communicator.hpp"
#include "ebb/netsim/experiment.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/program/builder.hpp"
#include "ebb/program/job.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/traffic/message_list.hpp"

#include <deque>
#include <numeric>
#include <vector>

namespace ebb::netsim {

using namespace std::chrono_literals;

inline std::vector<std::uint32_t> first_hosts(std::uint32_t count) {
  std::vector<std::uint32_t> hosts(count);
  std::iota(hosts.begin(), hosts.end(), 0U);
  return hosts;
}

// An all-to-all of 1,024 ranks without order, so that packets meet, with answers to wait for.
inline program::Program scattered_messages(std::uint32_t ranks) {
  program::ProgramBuilder builder(ranks);
  for (std::uint32_t which = 0; which < ranks; ++which) {
    program::RankBuilder rank;
    const std::uint32_t first = rank.add(
        {.kind = program::Operation::Kind::compute, .time = std::chrono::nanoseconds(which % 7)});
    for (std::uint32_t k = 1; k <= 6; ++k) {
      const std::uint32_t there = (which + k * k * 37) % ranks;
      const std::uint32_t back = (which + ranks - k * k * 37) % ranks;
      const std::uint32_t sent = rank.add({.kind = program::Operation::Kind::send,
                                           .peer = there,
                                           .tag = k,
                                           .size = bytes(3000 * k)});
      rank.wait_for_end(sent, first);
      const std::uint32_t got = rank.add({.kind = program::Operation::Kind::receive,
                                          .peer = k % 2 == 0 ? program::kAny : back,
                                          .tag = k,
                                          .size = bytes(3000 * k)});
      const std::uint32_t used =
          rank.add({.kind = program::Operation::Kind::compute, .time = 100ns});
      rank.wait_for_end(used, got);
    }
    builder.add(rank);
  }
  return std::move(builder).build("made");
}

// By rank, those of other ranks of MPI as they were in the beginning.
inline std::vector<program::RankTimes> run_job(
    const program::Program& program, std::uint32_t threads,
    mpi::Communicator& communicator = mpi::serial_communicator()) {
  const auto graph = topology::build("fbfly", {{"hosts", "16"}, {"dims", "8x8"}}, {k40G}).value();
  const auto routing = routing::make_routing("minimal-adaptive", graph).value();
  std::vector<std::uint32_t> partition_of(graph.switch_count());
  const std::uint32_t partitions = threads * communicator.count();
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) partition_of[s] = s % partitions;
  std::deque<Observer> watchers(threads);
  std::vector<Observer*> observers;
  for (Observer& watcher : watchers) observers.push_back(&watcher);
  program::Jobs jobs(
      graph.host_count(), {{program, first_hosts(program.ranks()), {}}},
      {.send_overhead = 50ns, .receive_overhead = 50ns, .rendezvous_above = bytes(8000)});
  Hardware hardware = tiny_hardware();
  hardware.input_buffer = 8 * kPacket;
  Network network({graph,
                   *routing,
                   {rates_only({k40G})},
                   hardware,
                   watts(10),
                   1,
                   communicator,
                   partitions == 1 ? std::vector<std::uint32_t>{} : partition_of},
                  jobs, observers);
  network.run_until_idle();
  if (communicator.is_serial()) {
    EXPECT_EQ(to_string(jobs.stalled()), "");
  }
  return jobs.ranks(0);
}

// The same job with links that sleep when nothing is there to send, as a run that is reported.
inline Report run_reported_job(const program::Program& program, std::uint32_t threads,
                               Duration limit = 1ms,
                               mpi::Communicator& communicator = mpi::serial_communicator(),
                               Fidelity fidelity = Fidelity::packet) {
  const topology::RateTable rates = {k10G, k40G};
  const auto graph = topology::build("fbfly", {{"hosts", "16"}, {"dims", "8x8"}}, rates).value();
  const auto routing = routing::make_routing("minimal-adaptive", graph).value();
  const traffic::MessageList nothing(graph.host_count(), {});
  const auto policy = policy::make_policy("on-demand", {}).value();
  program::Jobs jobs(graph.host_count(), {{program, first_hosts(program.ranks()), {}, "job"}},
                     {.send_overhead = 50ns, .rendezvous_above = bytes(8000)});
  return run({.graph = graph,
              .routing = *routing,
              .workload = nothing,
              .policy = *policy.policy,
              .models = {sleepy(rates, 500ns, 1us)},
              .switch_core = watts(10),
              .hardware = tiny_hardware(),
              .schedule = {.measure = limit},
              .fidelity = fidelity,
              .threads = threads,
              .communicator = communicator,
              .jobs = &jobs});
}

inline bool same(const JobReport& a, const JobReport& b) {
  return a.end == b.end && a.energy == b.energy && a.path == b.path && a.ranks == b.ranks;
}

}  // namespace ebb::netsim
