// SPDX-License-Identifier: Apache-2.0
//
// The latency that following the traffic adds, and the network that does not follow it.
#include "isca_network.hpp"

#include "ebb/repro/experiment.hpp"

#include <string>

namespace ebb::repro {
namespace {

// Both bounds of the published range look at the same number.
Result<Measurements> measure_paired(Lab& lab) {
  const auto all = isca_runs(lab, {{kAlwaysOn}, {kPaired}});
  if (!all) return fail(all.error());
  Measurements measured;
  for (const auto& [workload, runs] : *all) {
    const double added = added_us(*runs[1], *runs[0]);
    measured.emplace_back(workload.name + "_least", added);
    measured.emplace_back(workload.name + "_most", added);
  }
  return measured;
}

double added_to_packets_us(const results::Summary& slowed, const results::Summary& fast) {
  const Duration added = slowed.report.packet_latency.mean() - fast.report.packet_latency.mean();
  return static_cast<double>(added.count()) * 1e-6;
}

Result<Measurements> measure_independent(Lab& lab) {
  const auto all = isca_runs(lab, {{kAlwaysOn}, {kIndependent}});
  if (!all) return fail(all.error());
  Measurements measured;
  for (const auto& [workload, runs] : *all) {
    measured.emplace_back("messages_" + workload.name, added_us(*runs[1], *runs[0]));
    measured.emplace_back("packets_" + workload.name, added_to_packets_us(*runs[1], *runs[0]));
  }
  return measured;
}

// Queues that grow need no time to settle, and nobody waits for what is in them.
Result<Measurements> measure_always_slowest(Lab& lab) {
  const auto all = isca_runs(
      lab, {{"policy=always-slowest", "schedule={warm_up: 1ms, measure: 4ms, tail_limit: 0s}"}});
  if (!all) return fail(all.error());
  Measurements measured;
  for (const auto& [workload, runs] : *all)
    measured.emplace_back(workload.name, saturated(runs[0]->report) ? 1 : 0);
  return measured;
}

}  // namespace

std::vector<Experiment> experiments_in_isca_latency() {
  return {{"A9", measure_paired, Cost::simulated},
          {"A10", measure_independent, Cost::simulated},
          {"A13", measure_always_slowest, Cost::simulated}};
}

}  // namespace ebb::repro
