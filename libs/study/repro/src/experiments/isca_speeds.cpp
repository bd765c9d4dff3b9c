// SPDX-License-Identifier: Apache-2.0
//
// Figure 7: the share of time at each speed.
#include "beside_published.hpp"
#include "isca_network.hpp"

#include <string>
#include <vector>

namespace ebb::repro {
namespace {

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

Result<Measurements> measure_speeds(Lab& lab) {
  const auto all = isca_runs(lab, {{kPaired}, {kIndependent}});
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

}  // namespace

std::vector<Experiment> experiments_in_isca_speeds() {
  return {{"A8", measure_speeds, Cost::simulated, draw_figure_7}};
}

}  // namespace ebb::repro
