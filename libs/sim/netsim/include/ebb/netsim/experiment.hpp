// SPDX-License-Identifier: Apache-2.0
//
// One run: what is simulated, for how long, and the report.
//
//   const Report report = run(experiment, [](const Progress& p) { ... });
//
// Phases: warm-up (found, or as long as given), measurement, and a tail in which traffic goes on
// until the messages created during the measurement have arrived or the limit is reached.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/mpi/communicator.hpp"
#include "ebb/netsim/channel_model.hpp"
#include "ebb/netsim/hardware.hpp"
#include "ebb/netsim/report.hpp"
#include "ebb/netsim/switch_group.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/policy/sample.hpp"
#include "ebb/power/part.hpp"
#include "ebb/program/job.hpp"
#include "ebb/routing/routing.hpp"
#include "ebb/traffic/workload.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ebb::timeline {
class Timeline;
}

namespace ebb::netsim {

struct Schedule {
  std::optional<Duration> warm_up;  // none: found
  Duration warm_up_limit = std::chrono::milliseconds(5);
  Duration measure = std::chrono::milliseconds(1);
  Duration tail_limit = std::chrono::milliseconds(2);

  [[nodiscard]] TimePoint latest_end() const {
    return TimePoint(warm_up.value_or(warm_up_limit) + measure + tail_limit);
  }
  bool operator==(const Schedule&) const = default;
};

class Network;
class NetworkControl;
using MakeControl =
    std::function<std::unique_ptr<NetworkControl>(Network& network, policy::Policy& policy)>;

// Refers to its parts; they must outlive the run. A policy keeps state: use a fresh one per run.
struct Experiment {
  const topology::Graph& graph;
  const routing::Routing& routing;
  const traffic::Workload& workload;  // of the hosts of the graph
  policy::Policy& policy;
  std::vector<ChannelModel> models;  // by rate table of the graph
  Power switch_core;                 // what a switch draws beside its channels
  Hardware hardware;
  Schedule schedule;
  std::uint64_t seed = 1;
  Fidelity fidelity = Fidelity::packet;
  std::optional<Duration> series_every;                // length of a frame; none: no series
  std::span<const policy::NextHopSet> next_hops = {};  // of next_hops_of, if the policy needs them
  // On each rank; no more than one per switch are used. They change nothing but the time it takes.
  std::uint32_t threads = 1;
  // All of them run the same experiment; there are no more than switches.
  mpi::Communicator& communicator = mpi::serial_communicator();
  std::optional<power::Components> components = {};  // of switches and network cards, where metered
  // Acts in the place of the policy; none: the policy itself does. On one rank.
  MakeControl make_control = nullptr;
  // Run on the hosts in the place of the workload, from the beginning to their end or for as long
  // as the schedule measures. They keep state: fresh ones per run.
  program::Jobs* jobs = nullptr;
  // Is told what happens when, until it is full; none: nobody is. On one rank.
  timeline::Timeline* timeline = nullptr;
  std::vector<SwitchGroup> switch_groups = {};  // of `switch_core`; none: switches never sleep
};

enum class Phase : std::uint8_t { warm_up, measure, tail };

struct Progress {
  Phase phase = Phase::warm_up;
  TimePoint now{};
  TimePoint end{};  // the latest end of the phase
  std::uint64_t packet_hops = 0;
  std::uint32_t ranks = 0;  // of jobs; when they will end nobody knows
  std::uint32_t ranks_done = 0;
};
using OnProgress = std::function<void(const Progress&)>;

// `hardware` has no mistakes, there is a model for each rate table, and the workload refuses
// nothing up to the latest end. With several ranks the report is complete on rank 0; on the others
// account, latencies and channels are not.
[[nodiscard]] Report run(const Experiment& experiment, const OnProgress& on_progress = {});

// The forwarding rows of a routing as a policy knows them: devices and destinations are numbered as
// nodes of the graph, channels as its channels. Fails when the network has too many states of
// packets (forwarding.hpp).
[[nodiscard]] Result<std::vector<policy::NextHopSet>> next_hops_of(const topology::Graph& graph,
                                                                   const routing::Routing& routing);

}  // namespace ebb::netsim
