// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/summary.hpp"

#include <fmt/format.h>

namespace ebb::results {

std::optional<double> network_share(const netsim::JobReport& job) {
  if (!job.hosts_energy) return std::nullopt;
  return to_joules(job.energy) / to_joules(job.energy + *job.hosts_energy);
}

std::optional<double> cluster_relative_energy(const netsim::JobReport& job) {
  if (!job.hosts_energy || !job.reference || !job.reference->hosts_energy) return std::nullopt;
  return to_joules(job.energy + *job.hosts_energy) /
         to_joules(job.reference->energy + *job.reference->hosts_energy);
}

std::optional<double> slowdown(const netsim::JobReport& job) {
  if (!job.done || !job.reference || job.reference->time == Duration{}) return std::nullopt;
  return static_cast<double>(job.time().count()) / static_cast<double>(job.reference->time.count());
}

double energy_delay(const netsim::JobReport& job) {
  constexpr double kPicosecondsPerSecond = 1e12;
  return to_joules(job.energy) * static_cast<double>(job.time().count()) / kPicosecondsPerSecond;
}

Duration waiting(const netsim::JobReport& job, const program::RankTimes& rank) {
  return rank.end - job.start - rank.busy;
}

std::vector<PathPart> parts_of(const netsim::CriticalPath& path) {
  std::vector<PathPart> parts = {
      {"computing_ps", "computing", path.computing},
      {"overhead_ps", "overhead of CPUs", path.overhead},
      {"transmission_ps", "transmission", path.transmission},
      {"waking_hosts_ps", "waking, hosts' links", path.waking.front()},
  };
  for (std::size_t level = 1; level < path.waking.size(); ++level) {
    parts.push_back({fmt::format("waking_level_{}_ps", level),
                     fmt::format("waking, level {}", level), path.waking[level]});
  }
  parts.push_back({"slower_ps", "slower rates", path.slower});
  parts.push_back({"queueing_ps", "queueing", path.queueing});
  return parts;
}

}  // namespace ebb::results
