// SPDX-License-Identifier: Apache-2.0
//
// How fast packets move: the 15-ary 3-flat of "Energy Proportional Datacenter Networks", 3,375
// hosts, uniform random 512 KiB messages at 23 % load in packets of 2 KiB, on one thread. In the
// same run: the hold rate of std::priority_queue with 16-byte events and 100,000 pending, and that
// of our own queue with as many pending as the simulation has. The ratios are what to read.
//
//   ebb_bench_packet_hops [--quick]
#include "engine/hold_rate.hpp"

#include "ebb/netsim/experiment.hpp"
#include "ebb/netsim/network.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/traffic/host_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <sys/resource.h>

namespace ebb::bench {
namespace {

using namespace std::chrono_literals;

// Ideal channels: power in proportion to rate, 1 us to change.
netsim::ChannelModel ideal_channel(const topology::RateTable& rates) {
  netsim::ChannelModel model;
  for (const DataRate rate : rates) {
    model.rate_levels.push_back({rate, 1, microwatts(rate.count() / 14'400)});
  }
  model.rate_change = 1us;
  model.lane_change = 1us;
  return model;
}

struct Speed {
  double hops = 0;    // million per second
  double events = 0;  // million per second
  double pending = 0;
  double events_per_hop = 0;
  std::size_t packets = 0;
  std::size_t bytes = 0;
};

class Ignore final : public netsim::Observer {};

// The best of several stretches of the same run, after a warm-up.
Speed measure(const std::string& policy_name, std::int64_t side, Duration stretch, int stretches) {
  const topology::RateTable rates = {megabits_per_second(2500), gigabits_per_second(5),
                                     gigabits_per_second(10), gigabits_per_second(20),
                                     gigabits_per_second(40)};
  const std::string k = std::to_string(side);
  const auto graph = topology::build("fbfly", {{"hosts", k}, {"dims", k + "x" + k}}, rates).value();
  const auto routing = routing::make_routing("minimal-adaptive", graph).value();
  const traffic::Shape shape{.hosts = graph.host_count()};
  const auto pattern = traffic::make_pattern("uniform", shape, {}, 1).value();
  const auto injection =
      traffic::make_injection("poisson", rates.back(), {{"load", "23%"}, {"size", "512KiB"}})
          .value();
  const auto made = policy::make_policy(policy_name, {}).value();
  const traffic::IndependentHosts workload(*pattern, *injection, graph.host_count());
  const auto source = workload.start({.seed = 1, .until = TimePoint(1s)});
  Ignore observer;
  netsim::Network network({graph, *routing, {ideal_channel(rates)}, {}, {}, 1}, *source, observer);
  network.start_meters();
  const auto advance = [&](TimePoint end) {
    while (network.now() < end) {
      for (const auto& action : made.policy->decide(network.sample())) (void)network.apply(action);
      network.run_until(std::min(end, network.now() + made.policy->sample_period()));
    }
  };
  advance(TimePoint(5 * stretch));
  Speed best;
  for (int i = 0; i < stretches; ++i) {
    const double start = processor_seconds();
    const auto hops = static_cast<double>(network.counts().packet_hops);
    const auto events = static_cast<double>(network.counts().events);
    advance(network.now() + stretch);
    const double seconds = (processor_seconds() - start) * 1e6;
    const double hops_done = static_cast<double>(network.counts().packet_hops) - hops;
    const double events_done = static_cast<double>(network.counts().events) - events;
    if (hops_done / seconds <= best.hops) continue;
    best = {hops_done / seconds,
            events_done / seconds,
            static_cast<double>(network.pending_events()),
            events_done / hops_done,
            network.counts().packets_in_network,
            network.memory_bytes()};
  }
  return best;
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void print(const std::string& policy, const Speed& speed, double standard, double seconds) {
  const double own = best_rate(holding<des::LadderQueue<Payload>>("own"),
                               static_cast<std::size_t>(speed.pending), seconds);
  fmt::print("{}\n", policy);
  fmt::print("  {:.2f} million packet-hops/s = {:.2f}x std::priority_queue (goal 0.5)\n",
             speed.hops, speed.hops / standard);
  fmt::print(
      "  {:.2f} million events/s, {:.2f} per packet-hop = {:.2f}x our queue alone, {:.1f} "
      "million holds/s with {:.0f} pending (goal 0.6)\n",
      speed.events, speed.events_per_hop, speed.events / own, own, speed.pending);
  fmt::print("  {} packets in the network, {:.1f} MB in all\n", speed.packets,
             static_cast<double>(speed.bytes) / 1e6);
}

}  // namespace
}  // namespace ebb::bench

int main(int argc, char** argv) {
  using namespace ebb::bench;
  using namespace std::chrono_literals;
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  const std::int64_t side = quick ? 4 : 15;
  const ebb::Duration stretch = quick ? 20us : 100us;
  const double seconds = quick ? 0.01 : 0.25;
  const double standard_holds = best_rate(standard(), quick ? 1'000 : 100'000, seconds);
  fmt::print("{0}-ary 3-flat, {1} hosts, uniform 512 KiB messages, 23 % load, 2 KiB packets\n",
             side, side * side * side);
  fmt::print("std::priority_queue, 16 bytes, 100000 pending: {:.2f} million holds/s\n",
             standard_holds);
  for (const char* policy : {"always-on", "epoch"}) {
    print(policy, measure(policy, side, stretch, quick ? 1 : 5), standard_holds, seconds);
  }
  fmt::print("peak memory of the process {:.0f} MB\n", peak_megabytes());
}
