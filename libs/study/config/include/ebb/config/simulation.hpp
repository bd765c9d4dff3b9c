// SPDX-License-Identifier: Apache-2.0
//
// A simulation ready to run: everything that a spec names, made and checked against each other.
//
//   const auto file = read_sim("sim.yaml", library);
//   const auto simulation = prepare(*file, library);
//   const auto report = netsim::run(simulation->experiment());
#pragma once

#include "ebb/config/sim_file.hpp"
#include "ebb/core/result.hpp"
#include "ebb/netsim/experiment.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/power/library.hpp"
#include "ebb/power/power_supply.hpp"
#include "ebb/program/job.hpp"
#include "ebb/program/program.hpp"
#include "ebb/routing/routing.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/traffic/injection.hpp"
#include "ebb/traffic/pattern.hpp"
#include "ebb/traffic/workload.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ebb::config {

// Owns what an Experiment refers to. Policy and jobs keep state, so a simulation is run once.
struct Simulation {
  SimSpec spec;
  std::unique_ptr<const topology::Graph> graph;
  std::unique_ptr<const routing::Routing> routing;
  std::unique_ptr<const traffic::Pattern> pattern;  // of the workload, where it is made of these
  std::unique_ptr<const traffic::Injection> injection;
  std::unique_ptr<const traffic::Workload> workload;
  std::vector<std::unique_ptr<const program::Program>> programs;  // of the jobs
  std::unique_ptr<program::Jobs> jobs;  // none: the hosts have the workload
  std::vector<std::string> repairs;     // that readers of programs made, a line for each
  policy::Made policy;
  std::vector<policy::NextHopSet> next_hops;  // if the policy needs them
  std::vector<netsim::ChannelModel> models;
  Power switch_core;
  std::vector<netsim::SwitchGroup> switch_groups;  // that sleep; none: switches never do
  std::optional<power::Components> components;
  std::optional<power::SwitchSupply> supply;  // of a switch; the run itself does not depend on it
  DataRate host_rate;
  std::uint32_t sending_hosts = 0;
  netsim::MakeControl make_control;  // of a fabric: its controller, around the policy

  [[nodiscard]] netsim::Experiment experiment() const { return experiment(*policy.policy); }
  // With another policy in its place, such as a recorder around it, and on several ranks.
  [[nodiscard]] netsim::Experiment experiment(
      policy::Policy& instead, mpi::Communicator& communicator = mpi::serial_communicator()) const;
};

// The controller of a fabric, for a simulation that has all else. It is of the live half of ebb,
// which this library does not know.
using PrepareControl = std::function<Result<netsim::MakeControl>(const Simulation& simulation)>;

// Errors carry the path of the key they are about; with the file, also its place. Without
// `prepare_control` a fabric is refused. `policy` takes the place of the one that the spec names: a
// caller may have one that is not in the registry. The spec of the simulation then names it.
[[nodiscard]] Result<Simulation> prepare(const SimSpec& spec, const power::Library& library,
                                         const PrepareControl& prepare_control = nullptr,
                                         std::optional<policy::Made> policy = std::nullopt);
[[nodiscard]] Result<Simulation> prepare(const SimFile& file, const power::Library& library,
                                         const PrepareControl& prepare_control = nullptr,
                                         std::optional<policy::Made> policy = std::nullopt);

// The run of an experiment of the simulation. Jobs under another policy than always-on are also run
// with that, unless the spec says otherwise, and the report tells what they took.
[[nodiscard]] netsim::Report run(const Simulation& simulation, const netsim::Experiment& experiment,
                                 const netsim::OnProgress& on_progress = {});

}  // namespace ebb::config
