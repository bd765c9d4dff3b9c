// SPDX-License-Identifier: Apache-2.0
//
// Figure 8: video streams that must arrive within a frame time.
#include "beside_published.hpp"
#include "cluster_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ebb::repro {
namespace {

const std::vector<double> kLoads = {40, 50, 60, 70, 80, 90};
const std::vector<int> kLanes = {2, 4, 8};

std::vector<ClusterCase> lane_cases() {
  std::vector<ClusterCase> cases;
  for (const int lanes : kLanes) {
    cases.push_back({std::to_string(lanes), fmt::format("{} virtual lanes", lanes), {}});
  }
  return cases;
}

std::string of_lanes(int lanes) {
  std::string list;
  for (int i = 0; i < lanes; ++i) list += i == 0 ? "{}" : ", {}";
  return "hardware.lanes=[" + list + "]";
}

Run video_run(int lanes, double load) {
  return on_irregular(
      {fmt::format("traffic={{workload: video, load: {}%, services: {}}}", load, lanes),
       of_lanes(lanes), "policy={name: dvs, window: 100us, low: 20%, high: 50%}",
       "schedule={warm_up: 30ms, measure: 70ms, tail_limit: 200ms}"});
}

double missing_time_ms(const results::Summary& run) {
  return static_cast<double>(run.report.lateness.mean().count()) * 1e-9;
}

double missed_percent(const results::Summary& run) {
  const std::uint64_t missed = run.report.lateness.count() + run.report.messages_unfinished;
  return 100 * static_cast<double>(missed) / static_cast<double>(run.report.messages);
}

Result<Measurements> measure_video(Lab& lab) {
  std::vector<Run> runs;
  for (const int lanes : kLanes) {
    for (const double load : kLoads) runs.push_back(video_run(lanes, load));
  }
  const auto all = lab.simulate(runs);
  if (!all) return fail(all.error());
  Measurements measured;
  auto next = all->begin();
  for (const int lanes : kLanes) {
    for (const double load : kLoads) {
      const results::Summary& run = **next++;
      const std::string end = at_load(std::to_string(lanes), load);
      measured.emplace_back("time_" + end, missing_time_ms(run));
      measured.emplace_back("missed_" + end, missed_percent(run));
    }
  }
  return measured;
}

std::vector<figures::Figure> draw_figure_8(const Row&, const Measurements& measured) {
  return {over_load({.name = "figure-8",
                     .title = "Figure 8: deadline missing time of late frames, DVS",
                     .y = {"mean lateness", "ms"}},
                    "time_", lane_cases(), kLoads, measured),
          over_load({.name = "figure-8-missed",
                     .title = "To Figure 8: frames that missed their deadline, DVS",
                     .y = {"frames missed", "%"}},
                    "missed_", lane_cases(), kLoads, measured)};
}

}  // namespace

std::vector<Experiment> experiments_in_cluster_video() {
  return {{"C8", measure_video, Cost::simulated, draw_figure_8}};
}

}  // namespace ebb::repro
