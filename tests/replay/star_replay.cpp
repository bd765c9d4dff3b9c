// SPDX-License-Identifier: Apache-2.0
//
// A trace on hosts of one switch, in the packet simulator: prints when its last rank ends, in
// nanoseconds. Links have 10 Gb/s; the head of a packet is 1 us on its way from host to host. Sends
// are eager and cost no overhead.
//
//   star_replay FILE [NAME=VALUE ...]   (parameters of the format)
#include "ebb/netsim/network.hpp"
#include "ebb/program/job.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/trace/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>
#include <vector>

namespace ebb {
namespace {

using namespace std::chrono_literals;

constexpr DataRate kRate = gigabits_per_second(10);

topology::Graph star(std::uint32_t hosts) {
  topology::GraphBuilder builder(1, hosts, {{kRate}});
  for (std::uint32_t host = 0; host < hosts; ++host)
    builder.connect(builder.host_node(host), builder.switch_node(0));
  return std::move(builder).build({});
}

netsim::Hardware hardware() {
  netsim::Hardware made;
  made.packet = bytes(1500);
  made.switch_latency = 100ns;
  made.link_latency = 450ns;
  return made;
}

Result<Duration> replay(const program::Program& program) {
  const topology::Graph graph = star(program.ranks());
  const auto routing = routing::make_routing("up-down-tree", graph);
  if (!routing) return fail(routing.error());
  std::vector<std::uint32_t> hosts(program.ranks());
  std::iota(hosts.begin(), hosts.end(), 0U);
  program::Jobs jobs(program.ranks(), {{program, hosts, {}}},
                     {.rendezvous_above = bytes(1'000'000'000)});
  netsim::Observer observer;
  netsim::ChannelModel one_rate;
  one_rate.rate_levels.push_back({kRate, 1, watts(1)});
  netsim::Network network({graph, **routing, {one_rate}, hardware(), watts(1), 1}, jobs, observer);
  network.run_until_idle();
  if (Errors stalled = jobs.stalled(); !stalled.empty()) return fail(std::move(stalled));
  Duration last{};
  for (const program::RankTimes& rank : jobs.ranks(0))
    last = std::max(last, rank.end.time_since_epoch());
  return last;
}

int run(int count, char** words) {
  trace::Reading reading;
  for (int i = 2; i < count; ++i) {
    const std::string word = words[i];
    const auto equals = word.find('=');
    reading.parameters.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  const auto trace = trace::read_trace(words[1], reading);
  const auto last = trace ? replay(trace->program) : Result<Duration>(fail(trace.error()));
  if (!last) {
    fmt::print(stderr, "{}\n", to_string(last.error()));
    return 1;
  }
  fmt::print("{}\n", last->count() / 1000);
  return 0;
}

}  // namespace
}  // namespace ebb

int main(int count, char** words) { return ebb::run(count, words); }
