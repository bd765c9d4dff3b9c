// SPDX-License-Identifier: Apache-2.0
//
// Poisson messages of one size at one server: M/D/1, mean wait W = rho S / (2 (1 - rho)) with S the
// time of a transmission. Message latency = W + latency of a packet alone (see zero_load.cpp).
//
// One queue: every host of a single switch sends to the next host. Packets leave the host at least
// S apart, so nothing waits behind it.
//
// Many queues: N hosts send to one, each rho / N of its rate. Packets wait at their host, and again
// wherever ways join. The sum of these waits has the mean of one M/D/1 queue of load rho, however
// many hosts and switches there are: with cut-through and equal rates the last link is busy, one
// latency later, whenever any link before it is, so the work that is left in the network is that of
// one server with all arrivals; and as all packets are equal, their order does not change the mean.
// (Shalmon and Kaplan, "A Tandem Network of Queues with Deterministic Service and Intermediate
// Arrivals"; Neely, Rohrs and Modiano, "Equivalent Models for Queueing Analysis of Deterministic
// Service Time Tree Networks".) All hosts are as far from the destination, so one latency serves
// all.
//
// 2 %: waits of successive packets are alike, so a million of them, in six runs, give a mean to
// about half a percent at a load of 80 %.
#include "checks.hpp"
#include "runs/checked_network.hpp"

#include <fmt/format.h>

#include <chrono>

namespace ebb::validate {
namespace {

using namespace std::chrono_literals;
using netsim::Hardware;

constexpr double kQueueingTolerance = 0.02;
constexpr std::uint64_t kSeeds = 6;

// Mean wait in nanoseconds: mean message latency less that of a packet alone over `links`.
double mean_wait(const CheckedNetwork& checked, Load load, int links, Accounts& accounts) {
  const Hardware hardware{.input_buffer = bytes(8 << 20)};  // no host ever lacks credits
  const Duration alone = links * hardware.link_latency + (links - 1) * hardware.switch_latency +
                         serialization_time(hardware.packet, checked.host_rate());
  netsim::Histogram latencies;
  for (load.seed = 1; load.seed <= kSeeds; ++load.seed) {
    const netsim::Report report = run_loaded(checked, hardware, load, accounts);
    if (report.messages_unfinished > 0) return 0;
    latencies += report.message_latency;
  }
  const double mean =
      static_cast<double>(latencies.sum_ps()) / static_cast<double>(latencies.count());
  return (mean - static_cast<double>(alone.count())) / 1000;
}

double md1_wait(const CheckedNetwork& checked, double rho) {
  const double service =
      static_cast<double>(serialization_time(Hardware{}.packet, checked.host_rate()).count()) /
      1000;
  return rho * service / (2 * (1 - rho));
}

void add_single(int percent, std::vector<Row>& rows, Accounts& accounts) {
  constexpr std::uint32_t kHosts = 64;
  const CheckedNetwork checked({"complete", {{"switches", "1"}, {"hosts", "64"}}, "shortest-path"});
  const FixedPattern pattern([](std::uint32_t host) { return (host + 1) % kHosts; });
  const Load load{pattern, kHosts, fmt::format("{}%", percent), 200us, 2ms};
  rows.push_back(within(fmt::format("host to its neighbour, {} %", percent),
                        md1_wait(checked, percent / 100.0), mean_wait(checked, load, 2, accounts),
                        kQueueingTolerance, "ns"));
}

// The senders share the load `percent` of the destination's link.
void add_many(const std::string& name, const Setting& setting, std::uint32_t destination,
              std::uint32_t senders, int percent, int links, std::vector<Row>& rows,
              Accounts& accounts) {
  const CheckedNetwork checked(setting);
  const topology::NodeId middle = checked.switch_of(destination);
  const FixedPattern pattern([&](std::uint32_t host) -> std::optional<std::uint32_t> {
    const bool near = checked.switch_of(host) == middle;
    if (host == destination || near != (links == 2)) return std::nullopt;
    return destination;
  });
  const Load load{pattern, senders, fmt::format("{:.6f}%", 1.0 * percent / senders), 2ms, 100ms};
  rows.push_back(within(fmt::format("{}, {} %", name, percent), md1_wait(checked, percent / 100.0),
                        mean_wait(checked, load, links, accounts), kQueueingTolerance, "ns"));
}

}  // namespace

std::vector<Row> check_queueing() {
  std::vector<Row> rows;
  Accounts accounts;
  for (const int percent : {30, 60, 80}) add_single(percent, rows, accounts);
  for (const int percent : {50, 80}) {
    add_many("4 hosts of a switch to one",
             {"complete", {{"switches", "1"}, {"hosts", "5"}}, "shortest-path"}, 0, 4, percent, 2,
             rows, accounts);
    add_many("32 hosts of a switch to one",
             {"complete", {{"switches", "1"}, {"hosts", "33"}}, "shortest-path"}, 0, 32, percent, 2,
             rows, accounts);
    add_many("24 hosts of 8 switches to one behind a ninth",
             {"tree", {{"switches", "9"}, {"hosts", "3"}}, "shortest-path"}, 0, 24, percent, 3,
             rows, accounts);
  }
  rows.push_back(accounts.row());
  return rows;
}

}  // namespace ebb::validate
