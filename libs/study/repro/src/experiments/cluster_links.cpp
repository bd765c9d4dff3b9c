// SPDX-License-Identifier: Apache-2.0
//
// Figures 7 and 10: voltage scaling and shutdown of links on the irregular network.
#include "beside_published.hpp"
#include "cluster_network.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace ebb::repro::cluster_links {
namespace {

const std::vector<double> kLoads = {20, 30, 40, 50, 60};

Result<ClusterRuns> figure_7_runs(RunCache& cache) {
  return run_cluster(cache, on_irregular, figure_7_cases(), kLoads);
}

double added_percent(const Measurements& measured, const std::string& slower,
                     const std::string& faster, double load) {
  const auto latency = [&](const std::string& of) {
    return value_of(measured, "latency_" + at_load(of, load));
  };
  return 100 * (latency(slower) / latency(faster) - 1);
}

Result<Measurements> measure_scaling(RunCache& cache) {
  const auto runs = figure_7_runs(cache);
  if (!runs) return fail(runs.error());
  Measurements measured;
  add_latency_and_energy(*runs, measured);
  const double low = added_percent(measured, "dvs", "base", 20);
  measured.emplace_back("added_20", low);
  measured.emplace_back("large_20", low);
  measured.emplace_back("added_60", added_percent(measured, "dvs", "base", 60));
  return measured;
}

std::vector<plots::Figure> draw_figure_7b(const Row&, const Measurements& measured) {
  return {over_load(
      {.name = "figure-7b", .title = "Figure 7(b): average packet latency", .y = {"latency", "us"}},
      "latency_", figure_7_cases(), kLoads, measured)};
}

Result<Measurements> measure_shutdown(RunCache& cache) {
  const auto runs = figure_7_runs(cache);
  if (!runs) return fail(runs.error());
  Measurements measured;
  add_latency_and_energy(*runs, measured);
  for (const double load : {20, 40, 60}) {
    measured.emplace_back(at_load("added", load), added_percent(measured, "dls", "adaptive", load));
  }
  return measured;
}

const std::vector<std::string> kParts = {"links", "switches", "network cards"};

void add_parts(const ClusterRuns& runs, Measurements& measured) {
  for (std::size_t c = 0; c < runs.cases.size(); ++c) {
    for (std::size_t l = 0; l < runs.loads.size(); ++l) {
      const results::Summary& run = runs.of(c, l);
      const std::string end = at_load("_" + runs.cases[c].name, runs.loads[l]);
      const double links = to_joules(netsim::channel_energy(run.report.ledger));
      const double cards = component_joules(run, "nic");
      const double all = to_joules(run.report.ledger.total());
      measured.emplace_back("links" + end, 1e3 * links);
      measured.emplace_back("switches" + end, 1e3 * (all - links - cards));
      measured.emplace_back("network cards" + end, 1e3 * cards);
    }
  }
}

void add_states(const ClusterRuns& runs, Measurements& measured) {
  const std::size_t both = runs.cases.size() - 1;
  for (std::size_t l = 0; l < runs.loads.size(); ++l) {
    for (const results::StateShare& state : runs.of(both, l).states) {
      measured.emplace_back(at_load(state.state, runs.loads[l]), 100 * state.share);
    }
  }
}

Result<Measurements> measure_energy(RunCache& cache) {
  const auto runs = figure_7_runs(cache);
  if (!runs) return fail(runs.error());
  Measurements measured;
  add_latency_and_energy(*runs, measured);
  add_parts(*runs, measured);
  add_states(*runs, measured);
  const auto energy = [&](const std::string& of) {
    return value_of(measured, "energy_" + at_load(of, 20));
  };
  measured.emplace_back("dvs_factor", energy("dvs") / energy("base"));
  measured.emplace_back("dls_factor", energy("dls") / energy("adaptive"));
  measured.emplace_back("dls_over_dvs", energy("dls") / energy("dvs_adaptive"));
  measured.emplace_back("both_over_dvs", energy("both") / energy("dvs_adaptive"));
  return measured;
}

plots::Figure figure_7a(const Measurements& measured) {
  plots::Figure figure{.name = "figure-7a",
                       .title = "Figure 7(a): energy in 20 ms, cases 1 to 6 at each load",
                       .kind = plots::Kind::stacked_bars,
                       .y = {"energy", "mJ"}};
  for (const std::string& part : kParts) figure.series.push_back({part, {}});
  for (const double load : {20, 40, 60}) {
    for (std::size_t c = 0; c < figure_7_cases().size(); ++c) {
      const auto x = static_cast<double>(figure.categories.size());
      figure.categories.push_back(fmt::format("{}, {} %", c + 1, load));
      for (plots::Series& series : figure.series) {
        const std::string end = at_load("_" + figure_7_cases()[c].name, load);
        series.points.push_back({x, value_of(measured, series.label + end), {}});
      }
    }
  }
  return figure;
}

plots::Figure figure_10(const Measurements& measured) {
  plots::Figure figure{.name = "figure-10",
                       .title = "Figure 10: time at each frequency with both DVS and DLS",
                       .kind = plots::Kind::stacked_bars,
                       .y = {"share of time", "%"}};
  for (const char* state : {"asleep", "changing", "640Mb/s", "950Mb/s", "1.26Gb/s", "1.57Gb/s",
                            "1.88Gb/s", "2.19Gb/s", "2.5Gb/s"}) {
    plots::Series series{state, {}};
    for (std::size_t l = 0; l < kLoads.size(); ++l) {
      series.points.push_back(
          {static_cast<double>(l), value_of(measured, at_load(state, kLoads[l])), {}});
    }
    figure.series.push_back(series);
  }
  for (const double load : kLoads) figure.categories.push_back(fmt::format("load {} %", load));
  return figure;
}

std::vector<plots::Figure> draw_figures_7_and_10(const Row&, const Measurements& measured) {
  return {figure_7a(measured),
          over_load({.name = "figure-7c",
                     .title = "Figure 7(c): energy of links and switches per packet",
                     .y = {"energy per packet", "uJ"}},
                    "energy_", figure_7_cases(), kLoads, measured),
          figure_10(measured)};
}

}  // namespace

std::vector<Experiment> experiments() {
  return {{"C1", measure_scaling, Cost::simulated, draw_figure_7b},
          {"C2", measure_shutdown, Cost::simulated, nullptr},
          {"C3", measure_energy, Cost::simulated, draw_figures_7_and_10}};
}

}  // namespace ebb::repro::cluster_links
