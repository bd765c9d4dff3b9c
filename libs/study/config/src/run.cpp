// SPDX-License-Identifier: Apache-2.0
#include "ebb/config/simulation.hpp"
#include "ebb/core/check.hpp"

#include <optional>
#include <utility>

namespace ebb::config {
namespace {

constexpr const char* kAlwaysOn = "always-on";

// The same jobs from their beginning, with links that are always on.
netsim::Report run_reference(const Simulation& simulation, const netsim::Experiment& experiment,
                             const netsim::OnProgress& on_progress) {
  const auto always_on = policy::make_policy(kAlwaysOn, {});
  EBB_CHECK(always_on.has_value(), "the policy always-on needs no parameters");
  program::Jobs jobs(experiment.graph.hosts_of_plane(), experiment.jobs->jobs(),
                     simulation.spec.jobs.costs);
  netsim::Experiment reference = simulation.experiment(*always_on->policy, experiment.communicator);
  reference.threads = experiment.threads;
  reference.series_every.reset();
  reference.make_control = nullptr;
  reference.jobs = &jobs;
  return netsim::run(reference, on_progress);
}

// Hosts draw the power of idle ones all the time, and more while they compute.
std::optional<Energy> hosts_energy(const netsim::JobReport& job,
                                   const std::optional<HostPower>& power) {
  if (!power || !job.done) return std::nullopt;
  Energy energy{};
  for (const program::RankTimes& rank : job.ranks)
    energy += power->idle * job.time() + (power->busy - power->idle) * rank.computing;
  return energy;
}

}  // namespace

netsim::Report run(const Simulation& simulation, const netsim::Experiment& experiment,
                   const netsim::OnProgress& on_progress) {
  netsim::Report report = netsim::run(experiment, on_progress);
  const auto& power = simulation.spec.jobs.host_power;
  for (netsim::JobReport& job : report.jobs) job.hosts_energy = hosts_energy(job, power);
  const bool wanted = experiment.jobs != nullptr && simulation.spec.jobs.reference &&
                      simulation.policy.name != kAlwaysOn && !report.stall;
  if (!wanted) return report;
  const netsim::Report reference = run_reference(simulation, experiment, on_progress);
  for (std::size_t i = 0; i < report.jobs.size(); ++i) {
    const netsim::JobReport& job = reference.jobs[i];
    if (job.done) report.jobs[i].reference = {job.time(), job.energy, hosts_energy(job, power)};
  }
  return report;
}

}  // namespace ebb::config
