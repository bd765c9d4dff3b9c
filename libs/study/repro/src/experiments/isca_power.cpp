// SPDX-License-Identifier: Apache-2.0
//
// Figure 8: power with the profile of a measured switch, and with ideal channels.
#include "beside_published.hpp"
#include "isca_network.hpp"

#include <string>
#include <vector>

namespace ebb::repro {
namespace {

const std::string kMeasured = "parts.ladder=infiniband-1us-ladder";

double percent(double share) { return 100 * share; }

Result<Measurements> measure_ideal_channels(Lab& lab) {
  const auto all = isca_runs(lab, {{kPaired}, {kIndependent}});
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

Result<Measurements> measure_measured_channels(Lab& lab) {
  const auto all = isca_runs(lab, {{kMeasured, kPaired}, {kMeasured, kIndependent}});
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

}  // namespace

std::vector<Experiment> experiments_in_isca_power() {
  return {{"A6", measure_ideal_channels, Cost::simulated, draw_figure_8b},
          {"A7", measure_measured_channels, Cost::lengthy, draw_figure_8a}};
}

}  // namespace ebb::repro
