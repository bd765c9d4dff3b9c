// SPDX-License-Identifier: Apache-2.0
#include "cluster_network.hpp"

#include "beside_published.hpp"

#include <fmt/format.h>

#include <utility>

namespace ebb::repro {
namespace {

// Packets of 1 KiB and four of them in every buffer; two virtual lanes, the fewest that InfiniBand
// has; a pipeline of five stages at 2.5 Gb/s / 32 bits = 78 MHz: 64 ns.
const std::string kIrregular = R"(
schema_version: 1
topology: {family: irregular, switches: 15, degree: 4, hosts: 1}
routing: up-down-nonminimal
traffic:
  pattern: uniform
  injection: {name: poisson, load: 20%, size: 1KiB}
  services: 2
policy: always-on
parts: {switch: kim-switch, components: kim-180nm}
hardware: {switching: store-and-forward, packet: 1KiB, input_buffer: 4KiB, output_buffer: 4KiB,
           output_selection: least-used, credits: own-wires, switch_latency: 64ns, link_latency: 10ns,
           nic: {doorbell: 1us, dma_setup: 200ns, dma_rate: 4Gb/s}, virtual_lanes: [{}, {}]}
schedule: {warm_up: 6ms, measure: 20ms, tail_limit: 20ms}
)";

// The same switches elsewhere.
const std::vector<std::string> kMesh = {"topology={family: mesh, hosts: 1, dims: 8x8}",
                                        "routing=dimension-order",
                                        "schedule={warm_up: 4ms, measure: 6ms, tail_limit: 20ms}"};

// One table entry per destination: the first shortest path, always.
const std::vector<std::string> kShortestPathFirst = {"routing=shortest-path",
                                                     "hardware.output_selection=first"};
const std::string kBoth =
    "policy={name: dvs-shutdown, window: 100us, low: 20%, high: 50%, t_max: 20%}";

std::vector<std::string> with(std::vector<std::string> settings, const std::string& more) {
  settings.push_back(more);
  return settings;
}

}  // namespace

const std::vector<ClusterCase>& figure_7_cases() {
  static const std::vector<ClusterCase> kCases = {
      {"base", "1: neither, one path", kShortestPathFirst},
      {"dvs", "2: DVS, one path", with(kShortestPathFirst, kScaled)},
      {"adaptive", "3: neither, adaptive", {}},
      {"dls", "4: DLS, adaptive", {kShutDown}},
      {"dvs_adaptive", "5: DVS, adaptive", {kScaled}},
      {"both", "6: DVS and DLS, adaptive", {kBoth}}};
  return kCases;
}

Run on_irregular(std::vector<std::string> settings) { return {kIrregular, std::move(settings)}; }
Run on_mesh(std::vector<std::string> settings) {
  settings.insert(settings.begin(), kMesh.begin(), kMesh.end());
  return on_irregular(std::move(settings));
}

std::string cluster_load(double percent) {
  return fmt::format("traffic.injection.load={}%", percent);
}

std::string at_load(const std::string& name, double percent) {
  return fmt::format("{}_{}", name, percent);
}

double component_joules(const results::Summary& run, const std::string& name) {
  for (const results::ComponentUse& use : run.components) {
    if (use.name == name) return to_joules(use.energy);
  }
  return 0;
}

double microjoules_per_packet(const results::Summary& run) {
  const double joules = to_joules(run.report.ledger.total()) - component_joules(run, "nic");
  const auto packet = static_cast<double>(run.simulation.spec.hardware.packet.count());
  return 1e6 * joules * packet / static_cast<double>(run.report.delivered.count());
}

double link_share(const results::Summary& run) {
  const double links = to_joules(netsim::channel_energy(run.report.ledger));
  return links / (to_joules(run.report.ledger.total()) - component_joules(run, "nic"));
}

double mean_latency_us(const results::Summary& run) {
  return static_cast<double>(run.report.message_latency.mean().count()) * 1e-6;
}

plots::Figure over_load(plots::Figure frame, const std::string& what,
                        const std::vector<ClusterCase>& cases, const std::vector<double>& loads,
                        const Measurements& measured) {
  frame.kind = plots::Kind::lines;
  frame.x = {"offered load, of the host links", "%"};
  for (const ClusterCase& one : cases) {
    plots::Series curve{one.label, {}};
    for (const double load : loads) {
      curve.points.push_back({load, value_of(measured, what + at_load(one.name, load)), {}});
    }
    frame.series.push_back(std::move(curve));
  }
  return frame;
}

Result<ClusterRuns> run_cluster(RunCache& cache, Run (*network)(std::vector<std::string>),
                                std::vector<ClusterCase> cases, std::vector<double> loads) {
  std::vector<Run> runs;
  for (const ClusterCase& one : cases) {
    for (const double load : loads) runs.push_back(network(with(one.settings, cluster_load(load))));
  }
  auto all = cache.simulate(runs);
  if (!all) return fail(all.error());
  return ClusterRuns{std::move(cases), std::move(loads), std::move(*all)};
}

void add_latency_and_energy(const ClusterRuns& runs, Measurements& measured) {
  for (std::size_t c = 0; c < runs.cases.size(); ++c) {
    for (std::size_t l = 0; l < runs.loads.size(); ++l) {
      const std::string end = at_load(runs.cases[c].name, runs.loads[l]);
      measured.emplace_back("latency_" + end, mean_latency_us(runs.of(c, l)));
      measured.emplace_back("energy_" + end, microjoules_per_packet(runs.of(c, l)));
    }
  }
}

}  // namespace ebb::repro
