// SPDX-License-Identifier: Apache-2.0
//
// Figure 12: packet and wormhole switching on the 8 x 8 mesh at 70 nm.
#include "beside_published.hpp"
#include "cluster_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ebb::repro::cluster_switching {
namespace {

// A load of 50 % is what the middle of the mesh can carry of uniform traffic.
const std::vector<double> kLoads = {5, 10, 20, 30, 35, 40};
constexpr double kHighLoad = 40;
const std::vector<std::string> kWorm = {"hardware.switching=wormhole", "hardware.flit=32B",
                                        "hardware.input_buffer=8KiB", "hardware.output_buffer=0B"};

ClusterCase at_70nm(ClusterCase one) {
  one.settings.push_back(kAt70nm);
  return one;
}

// Cases 1 to 4 of Figure 12(c), and the larger buffer of Figure 12(a).
const std::vector<ClusterCase>& switching_cases() {
  static const std::vector<ClusterCase> kCases = [] {
    std::vector<std::string> gated_worm = kWorm;
    gated_worm.push_back(kGated);
    return std::vector<ClusterCase>{
        at_70nm({"packet_gated", "1: packets, gated buffers", {kGated}}),
        at_70nm({"packet", "2: packets", {}}),
        at_70nm({"worm_gated", "3: wormhole, gated buffers", gated_worm}),
        at_70nm({"worm", "4: wormhole", kWorm}),
        at_70nm({"packet_8",
                 "packets, buffers of 8",
                 {"hardware.input_buffer=8KiB", "hardware.output_buffer=8KiB"}})};
  }();
  return kCases;
}

void add_shares(const ClusterRuns& runs, Measurements& measured) {
  for (std::size_t c = 0; c < runs.cases.size(); ++c) {
    for (std::size_t l = 0; l < runs.loads.size(); ++l) {
      const double energy = microjoules_per_packet(runs.of(c, l));
      const double links = energy * link_share(runs.of(c, l));
      const std::string end = at_load("_" + runs.cases[c].name, runs.loads[l]);
      measured.emplace_back("links" + end, links);
      measured.emplace_back("switches" + end, energy - links);
    }
  }
}

void add_claims(Measurements& measured) {
  const auto of = [&](const std::string& what, const std::string& name, double load) {
    return value_of(measured, what + at_load(name, load));
  };
  for (const double load : {5.0, kHighLoad}) {
    const double packets =
        std::min(of("latency_", "packet", load), of("latency_", "packet_8", load));
    measured.emplace_back(at_load("worm_over_packets", load),
                          of("latency_", "worm", load) / packets);
  }
  const double others =
      std::min({of("energy_", "packet", kHighLoad), of("energy_", "worm", kHighLoad),
                of("energy_", "worm_gated", kHighLoad)});
  measured.emplace_back("gated_packets_over_others",
                        of("energy_", "packet_gated", kHighLoad) / others);
  measured.emplace_back("worm_gated_over_packet_gated",
                        of("energy_", "worm_gated", 5) / of("energy_", "packet_gated", 5));
}

Result<Measurements> measure_switching(RunCache& cache) {
  const auto runs = run_cluster(cache, on_mesh, switching_cases(), kLoads);
  if (!runs) return fail(runs.error());
  Measurements measured;
  add_latency_and_energy(*runs, measured);
  add_shares(*runs, measured);
  add_claims(measured);
  return measured;
}

plots::Figure figure_12c(const Measurements& measured) {
  plots::Figure figure{.name = "figure-12c",
                       .title = "Figure 12(c): energy per packet, cases 1 to 4 at each load",
                       .kind = plots::Kind::stacked_bars,
                       .y = {"energy per packet", "uJ"}};
  for (const char* part : {"links", "switches"}) figure.series.push_back({part, {}});
  for (const double load : {5, 20, 40}) {
    for (std::size_t c = 0; c < 4; ++c) {
      const auto x = static_cast<double>(figure.categories.size());
      figure.categories.push_back(fmt::format("{}, {} %", c + 1, load));
      for (plots::Series& series : figure.series) {
        const std::string end = at_load("_" + switching_cases()[c].name, load);
        series.points.push_back({x, value_of(measured, series.label + end), {}});
      }
    }
  }
  return figure;
}

std::vector<plots::Figure> draw_figure_12(const Row&, const Measurements& measured) {
  const auto& all = switching_cases();
  return {over_load({.name = "figure-12a",
                     .title = "Figure 12(a): latency on the 8 x 8 mesh",
                     .y = {"latency", "us"}},
                    "latency_", {all[1], all[4], all[3]}, kLoads, measured),
          over_load({.name = "figure-12b",
                     .title = "Figure 12(b): energy of links and switches per packet",
                     .y = {"energy per packet", "uJ"}},
                    "energy_", {all[0], all[1], all[2], all[3]}, kLoads, measured),
          figure_12c(measured)};
}

}  // namespace

std::vector<Experiment> experiments() {
  return {{"C7", measure_switching, Cost::simulated, draw_figure_12}};
}

}  // namespace ebb::repro::cluster_switching
