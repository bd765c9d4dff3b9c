// SPDX-License-Identifier: Apache-2.0
//
// Figure 8: video streams that must arrive within a frame time.
#include "beside_published.hpp"
#include "cluster_network.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ebb::repro::cluster_video {
namespace {

const std::vector<double> kLoads = {40, 50, 60, 70, 80, 90};
// Streams take the lanes in turn.
struct VideoCase {
  ClusterCase shown;
  int lanes = 0;
};

const std::vector<VideoCase>& video_cases() {
  static const std::vector<VideoCase> kCases = {{{"2", "DVS, 2 virtual lanes", {kScaled}}, 2},
                                                {{"4", "DVS, 4 virtual lanes", {kScaled}}, 4},
                                                {{"8", "DVS, 8 virtual lanes", {kScaled}}, 8},
                                                {{"dls", "DLS, 4 virtual lanes", {kShutDown}}, 4}};
  return kCases;
}

std::vector<ClusterCase> shown_cases() {
  std::vector<ClusterCase> shown;
  for (const VideoCase& one : video_cases()) shown.push_back(one.shown);
  return shown;
}

std::string of_lanes(int lanes) {
  std::string list;
  for (int i = 0; i < lanes; ++i) list += i == 0 ? "{}" : ", {}";
  return "hardware.virtual_lanes=[" + list + "]";
}

Run video_run(const VideoCase& one, double load) {
  std::vector<std::string> settings = one.shown.settings;
  settings.insert(
      settings.end(),
      {fmt::format("traffic={{workload: video, load: {}%, services: {}}}", load, one.lanes),
       of_lanes(one.lanes), "schedule={warm_up: 30ms, measure: 70ms, tail_limit: 200ms}"});
  return on_irregular(std::move(settings));
}

double missing_time_ms(const results::Summary& run) {
  return static_cast<double>(run.report.lateness.mean().count()) * 1e-9;
}

double missed_percent(const results::Summary& run) {
  const std::uint64_t missed = run.report.lateness.count() + run.report.messages_unfinished;
  return 100 * static_cast<double>(missed) / static_cast<double>(run.report.messages);
}

Result<Measurements> measure_video(RunCache& cache) {
  std::vector<Run> runs;
  for (const VideoCase& one : video_cases()) {
    for (const double load : kLoads) runs.push_back(video_run(one, load));
  }
  const auto all = cache.simulate(runs);
  if (!all) return fail(all.error());
  Measurements measured;
  auto next = all->begin();
  for (const VideoCase& one : video_cases()) {
    for (const double load : kLoads) {
      const results::Summary& run = **next++;
      const std::string end = at_load(one.shown.name, load);
      measured.emplace_back("time_" + end, missing_time_ms(run));
      measured.emplace_back("missed_" + end, missed_percent(run));
    }
  }
  return measured;
}

std::vector<plots::Figure> draw_figure_8(const Row&, const Measurements& measured) {
  return {over_load({.name = "figure-8",
                     .title = "Figure 8: deadline missing time of late frames",
                     .y = {"mean lateness", "ms"}},
                    "time_", shown_cases(), kLoads, measured),
          over_load({.name = "figure-8-missed",
                     .title = "To Figure 8: frames that missed their deadline",
                     .y = {"frames missed", "%"}},
                    "missed_", shown_cases(), kLoads, measured)};
}

}  // namespace

std::vector<Experiment> experiments() {
  return {{"C8", measure_video, Cost::simulated, draw_figure_8}};
}

}  // namespace ebb::repro::cluster_video
