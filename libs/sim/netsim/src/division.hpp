// SPDX-License-Identifier: Apache-2.0
//
// How the switches of an experiment are divided among the threads of its processes.
#pragma once

#include "ebb/netsim/experiment.hpp"
#include "ebb/traffic/workload.hpp"

#include <cstdint>
#include <vector>

namespace ebb::netsim {

// Of a process: a switch lives on one thread.
[[nodiscard]] std::uint32_t threads_used(const Experiment& experiment);

// The partition of each switch; empty: one partition.
[[nodiscard]] std::vector<std::uint32_t> divided(const Experiment& experiment);

// The hosts of this rank; they live with the switch that serves them.
[[nodiscard]] traffic::HostSet hosts_here(const Experiment& experiment,
                                          const std::vector<std::uint32_t>& partition_of);

// The full rates of the hosts' links.
[[nodiscard]] std::vector<DataRate> host_rates(const topology::Graph& graph);

}  // namespace ebb::netsim
