// SPDX-License-Identifier: Apache-2.0
//
// "Energy Proportional Datacenter Networks" (ISCA 2010): power, speeds and latency of Section 4.
#include "beside_published.hpp"
#include "isca.hpp"

#include "ebb/repro/experiment.hpp"

#include <string>
#include <vector>

namespace ebb::repro::isca_evaluation {
namespace {

// Figure 8: power with the profile of a measured switch, and with ideal channels.

const std::string kMeasured = "parts.rate_table=infiniband-1us-link";

double percent(double share) { return 100 * share; }

Result<Measurements> measure_ideal_channels(RunCache& cache) {
  const auto all = isca_runs(cache, {{kPaired}, {kIndependent}});
  if (!all) return fail(all.error());
  Measurements measured;
  for (const auto& [workload, runs] : *all) {
    const auto& independent = runs[1]->report;
    measured.emplace_back(workload.name + "_paired", percent(relative_power(runs[0]->report)));
    measured.emplace_back(workload.name, percent(relative_power(independent)));
    measured.emplace_back(workload.name + "_ideal", percent(ideal_relative_power(independent)));
  }
  return measured;
}

std::vector<plots::Figure> draw_figure_8b(const Row& row, const Measurements& measured) {
  std::vector<BarOf> bars;
  for (const IscaWorkload& workload : isca_workloads()) {
    bars.push_back({workload.label + ", paired", workload.name + "_paired"});
    bars.push_back({workload.label + ", independent", workload.name});
    bars.push_back({workload.label + ", ideal", workload.name + "_ideal"});
  }
  return {beside_published({.name = "figure-8b",
                            .title = "Figure 8(b): relative power of ideal channels",
                            .y = {"power of always-on", "%"}},
                           row, measured, bars)};
}

Result<Measurements> measure_measured_channels(RunCache& cache) {
  const auto all = isca_runs(cache, {{kMeasured, kPaired}, {kMeasured, kIndependent}});
  if (!all) return fail(all.error());
  Measurements measured;
  for (const auto& [workload, runs] : *all) {
    measured.emplace_back(workload.name + "_paired", percent(relative_power(runs[0]->report)));
    measured.emplace_back(workload.name + "_independent", percent(relative_power(runs[1]->report)));
  }
  return measured;
}

std::vector<plots::Figure> draw_figure_8a(const Row&, const Measurements& measured) {
  plots::Figure figure{.name = "figure-8a",
                       .title = "Figure 8(a): relative power of the measured switch",
                       .kind = plots::Kind::bars,
                       .y = {"power of always-on", "%"}};
  for (const IscaWorkload& workload : isca_workloads()) figure.categories.push_back(workload.label);
  for (const std::string control : {"paired", "independent"}) {
    plots::Series series{control, {}};
    for (const IscaWorkload& workload : isca_workloads()) {
      series.points.push_back({static_cast<double>(series.points.size()),
                               value_of(measured, workload.name + "_" + control),
                               {}});
    }
    figure.series.push_back(std::move(series));
  }
  figure.levels = {{"published: the slowest mode, 42 %", 42}};
  return {figure};
}

// Figure 7: the share of time at each speed.

const std::vector<std::string> kControls = {"paired", "independent"};
const std::vector<std::string> kStates = {"changing", "2.5Gb/s", "5Gb/s",
                                          "10Gb/s",   "20Gb/s",  "40Gb/s"};

std::string name_of(const std::string& workload, const std::string& control,
                    const std::string& state) {
  return workload + ", " + control + ": " + state;
}

double fast_share(const Measurements& measured, const std::string& control) {
  double sum = 0;
  for (const char* state : {"10Gb/s", "20Gb/s", "40Gb/s"})
    sum += value_of(measured, name_of("Search", control, state));
  return sum;
}

Result<Measurements> measure_speeds(RunCache& cache) {
  const auto all = isca_runs(cache, {{kPaired}, {kIndependent}});
  if (!all) return fail(all.error());
  Measurements measured;
  for (const auto& [workload, runs] : *all) {
    for (std::size_t i = 0; i < kControls.size(); ++i) {
      for (const results::StateShare& state : runs[i]->states) {
        measured.emplace_back(name_of(workload.label, kControls[i], state.state),
                              100 * state.share);
      }
    }
  }
  for (const std::string& control : kControls) {
    measured.emplace_back("slowest_" + control,
                          value_of(measured, name_of("Search", control, "2.5Gb/s")));
  }
  measured.emplace_back("fast_ratio",
                        fast_share(measured, "independent") / fast_share(measured, "paired"));
  return measured;
}

// The paper shows Search and says that Uniform looks very similar.
std::vector<plots::Figure> draw_figure_7(const Row&, const Measurements& measured) {
  plots::Figure figure{.name = "figure-7",
                       .title = "Figure 7: share of time at each speed",
                       .kind = plots::Kind::stacked_bars,
                       .y = {"share of time", "%"}};
  for (const std::string& state : kStates) figure.series.push_back({state, {}});
  for (const char* workload : {"Search", "Advert", "Uniform"}) {
    for (const std::string& control : kControls) {
      const auto x = static_cast<double>(figure.categories.size());
      figure.categories.push_back(std::string(workload) + ", " + control);
      for (plots::Series& series : figure.series) {
        series.points.push_back(
            {x, value_of(measured, name_of(workload, control, series.label)), {}});
      }
    }
  }
  return {figure};
}

// The latency that following the traffic adds, and the network that does not follow it.

// Both bounds of the published range look at the same number.
Result<Measurements> measure_paired(RunCache& cache) {
  const auto all = isca_runs(cache, {{kAlwaysOn}, {kPaired}});
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

Result<Measurements> measure_independent(RunCache& cache) {
  const auto all = isca_runs(cache, {{kAlwaysOn}, {kIndependent}});
  if (!all) return fail(all.error());
  Measurements measured;
  for (const auto& [workload, runs] : *all) {
    measured.emplace_back("messages_" + workload.name, added_us(*runs[1], *runs[0]));
    measured.emplace_back("packets_" + workload.name, added_to_packets_us(*runs[1], *runs[0]));
  }
  return measured;
}

// Queues that grow need no time to settle, and nobody waits for what is in them.
Result<Measurements> measure_always_slowest(RunCache& cache) {
  const auto all = isca_runs(
      cache, {{"policy=always-slowest", "schedule={warm_up: 1ms, measure: 4ms, tail_limit: 0s}"}});
  if (!all) return fail(all.error());
  Measurements measured;
  for (const auto& [workload, runs] : *all)
    measured.emplace_back(workload.name, saturated(runs[0]->report) ? 1 : 0);
  return measured;
}

}  // namespace

std::vector<Experiment> experiments() {
  return {{"A6", measure_ideal_channels, Cost::simulated, draw_figure_8b},
          {"A7", measure_measured_channels, Cost::lengthy, draw_figure_8a},
          {"A8", measure_speeds, Cost::simulated, draw_figure_7},
          {"A9", measure_paired, Cost::simulated},
          {"A10", measure_independent, Cost::simulated},
          {"A13", measure_always_slowest, Cost::simulated}};
}

}  // namespace ebb::repro::isca_evaluation
