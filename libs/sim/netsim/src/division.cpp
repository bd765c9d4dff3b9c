// SPDX-License-Identifier: Apache-2.0
#include "division.hpp"

#include "ebb/topology/metrics.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace ebb::netsim {
namespace {

using topology::ChannelId;

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
  return topology::divide(experiment.graph, partitions, weights);
}

}  // namespace

std::uint32_t threads_used(const Experiment& experiment) {
  if (experiment.fidelity == Fidelity::flow) return 1;
  return std::clamp(experiment.threads, 1U,
                    experiment.graph.switch_count() / experiment.communicator.count());
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
  std::vector<bool> here(graph.host_count());
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    const auto served_by = graph.target(graph.outputs(graph.host_node(h)).front());
    here[h] = partition_of[index(served_by)] / threads == experiment.communicator.rank();
  }
  return traffic::HostSet(std::move(here));
}

std::vector<DataRate> host_rates(const topology::Graph& graph) {
  std::vector<DataRate> rates;
  rates.reserve(graph.host_count());
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    const ChannelId channel = graph.outputs(graph.host_node(h)).front();
    rates.push_back(graph.full_rate(graph.link(topology::link_of(channel))));
  }
  return rates;
}

}  // namespace ebb::netsim
