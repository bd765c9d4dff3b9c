// SPDX-License-Identifier: Apache-2.0
//
// What "Energy Proportional Datacenter Networks" (ISCA 2010) leaves to future work, on its own
// network and workloads: jumps between the slowest and the fastest rate (Section 5.1), links that
// are powered off when they are idle, and topologies that change with the load (Section 5.2).
// Measured is how many times the power of an ideal network, which draws in proportion to its load,
// each of them draws: the paper's own control ends at about three.
#include "beside_published.hpp"
#include "isca.hpp"

#include "ebb/repro/experiment.hpp"

#include <string>
#include <vector>

namespace ebb::repro::isca_future_work {
namespace {

struct Mechanism {
  std::string name;   // in measurements
  std::string label;  // for people
  std::vector<std::string> settings;
};

// Links that sleep draw nothing and wake in 1 us, as a change of rate takes. Switches that choose
// among outputs count a link in low power as a queue of so much more.
const std::string kSleepLink = "parts.rate_table=ideal-sleep-link";

const std::vector<Mechanism>& mechanisms() {
  static const std::vector<Mechanism> kMechanisms = {
      {"paper", "the paper's control", {kIndependent}},
      {"jumps",
       "jumps between slowest and fastest",
       {"policy={name: epoch, channels: independent, moves: ends}"}},
      {"off",
       "power-off when idle",
       {"policy={name: on-demand}", kSleepLink, "hardware.low_power_penalty=8KiB"}},
      {"dynamic",
       "from butterfly to torus and back",
       {"policy={name: stages}", "routing=sparse-torus", kSleepLink,
        "hardware.low_power_penalty=1MiB"}}};
  return kMechanisms;
}

Result<Measurements> measure(RunCache& cache) {
  std::vector<std::vector<std::string>> settings;
  for (const Mechanism& mechanism : mechanisms()) settings.push_back(mechanism.settings);
  const auto all = isca_runs(cache, settings);
  if (!all) return fail(all.error());
  Measurements measured;
  for (const auto& [workload, runs] : *all) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto& report = runs[i]->report;
      measured.emplace_back(mechanisms()[i].name + "_" + workload.name,
                            relative_power(report) / ideal_relative_power(report));
    }
  }
  return measured;
}

std::vector<plots::Figure> draw(const Row&, const Measurements& measured) {
  plots::Figure figure{.name = "future-work",
                       .title = "Power over that of an ideal network",
                       .kind = plots::Kind::bars,
                       .y = {"power", "times ideal"}};
  for (const IscaWorkload& workload : isca_workloads()) figure.categories.push_back(workload.label);
  for (const Mechanism& mechanism : mechanisms()) {
    plots::Series series{mechanism.label, {}};
    for (const IscaWorkload& workload : isca_workloads()) {
      series.points.push_back({static_cast<double>(series.points.size()),
                               value_of(measured, mechanism.name + "_" + workload.name),
                               {}});
    }
    figure.series.push_back(std::move(series));
  }
  figure.levels = {{"published: the gap to close, 3x", 3}};
  return {figure};
}

}  // namespace

std::vector<Experiment> experiments() { return {{"A15", measure, Cost::lengthy, draw}}; }

}  // namespace ebb::repro::isca_future_work
