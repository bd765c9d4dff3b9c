// SPDX-License-Identifier: Apache-2.0
#include "division.hpp"

#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace ebb::netsim {
namespace {

using topology::ChannelId;

// All planes in the same way: the interfaces of a host live together.
std::vector<std::uint32_t> divide_planes(const topology::Graph& graph, std::uint32_t partitions,
                                         std::vector<std::uint32_t> weights) {
  weights.resize(weights.size() / graph.planes());
  const auto of_one = topology::divide(topology::one_plane(graph), partitions, weights);
  std::vector<std::uint32_t> of_all;
  for (std::uint32_t plane = 0; plane < graph.planes(); ++plane)
    of_all.insert(of_all.end(), of_one.begin(), of_one.end());
  return of_all;
}

// Switches on which a host has interfaces go where that of the first is: messages of all of them
// are fetched there.
void join_interfaces(const topology::Graph& graph, std::vector<std::uint32_t>& partition_of) {
  const std::uint32_t hosts = graph.hosts_of_plane();
  const auto switch_of = [&](std::uint32_t host_node) {
    return index(graph.target(graph.outputs(graph.host_node(host_node)).front()));
  };
  for (std::uint32_t node = hosts; node < graph.host_count(); ++node)
    partition_of[switch_of(node)] = partition_of[switch_of(node % hosts)];
}

// By switch; long links are the best to cut, they leave partitions alone for longest.
std::vector<std::uint32_t> divide(const Experiment& experiment, std::uint32_t partitions) {
  constexpr std::int64_t kHeaviest = 1000;
  std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
  for (const topology::Link& link : experiment.graph.links()) {
    shortest = std::min<std::int64_t>(shortest, experiment.hardware.latency(link).count());
  }
  std::vector<std::uint32_t> weights;
  for (const topology::Link& link : experiment.graph.links()) {
    const std::int64_t latency = experiment.hardware.latency(link).count();
    weights.push_back(static_cast<std::uint32_t>(1 + (kHeaviest - 1) * shortest / latency));
  }
  auto partition_of = experiment.graph.planes() == 1
                          ? topology::divide(experiment.graph, partitions, weights)
                          : divide_planes(experiment.graph, partitions, std::move(weights));
  join_interfaces(experiment.graph, partition_of);
  return partition_of;
}

}  // namespace

std::uint32_t threads_used(const Experiment& experiment) {
  if (experiment.fidelity == Fidelity::flow) return 1;
  return std::clamp(experiment.threads, 1U,
                    experiment.graph.switches_of_plane() / experiment.communicator.count());
}

// Rank 0 divides for all: another build of METIS might do it in another way.
std::vector<std::uint32_t> divided(const Experiment& experiment) {
  mpi::Communicator& communicator = experiment.communicator;
  const std::uint32_t partitions = threads_used(experiment) * communicator.count();
  if (partitions == 1) return {};
  Bytes mine;
  if (communicator.first()) append_list(mine, divide(experiment, partitions));
  return ByteReader(communicator.all_gather(mine).front()).take_list<std::uint32_t>();
}

traffic::HostSet hosts_here(const Experiment& experiment,
                            const std::vector<std::uint32_t>& partition_of) {
  if (experiment.communicator.is_serial()) return {};
  const topology::Graph& graph = experiment.graph;
  const std::uint32_t threads = threads_used(experiment);
  std::vector<bool> here(graph.hosts_of_plane());
  for (std::uint32_t h = 0; h < graph.hosts_of_plane(); ++h) {
    const auto served_by = graph.target(graph.outputs(graph.host_node(h)).front());
    here[h] = partition_of[index(served_by)] / threads == experiment.communicator.rank();
  }
  return traffic::HostSet(std::move(here));
}

std::vector<DataRate> host_rates(const topology::Graph& graph) {
  std::vector<DataRate> rates;
  rates.reserve(graph.hosts_of_plane());
  for (std::uint32_t h = 0; h < graph.hosts_of_plane(); ++h) {
    const ChannelId channel = graph.outputs(graph.host_node(h)).front();
    rates.push_back(graph.full_rate(graph.link(topology::link_of(channel))) * graph.interfaces());
  }
  return rates;
}

}  // namespace ebb::netsim
