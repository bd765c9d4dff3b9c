// SPDX-License-Identifier: Apache-2.0
#include "figures_json.hpp"

#include "ebb/plots/result_figures.hpp"
#include "ebb/results/load.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace ebb::report {

Json experiments_json(const plots::RunSet& set, const std::vector<results::Run>& runs) {
  std::map<std::string, std::size_t> positions;
  for (std::size_t i = 0; i < runs.size(); ++i) positions[runs[i].key] = i;
  Json all = Json::array();
  for (const plots::Repetitions& experiment : set.experiments()) {
    Json own = Json::array();
    for (const results::Run* run : experiment.group.runs) own.push_back(positions.at(run->key));
    const auto load = results::load_of(experiment.group.first());
    all.push_back({{"label", experiment.label},
                   {"series", experiment.series},
                   {"offered_load", experiment.offered_load},
                   {"load", load ? Json(load->value) : Json(nullptr)},
                   {"runs", std::move(own)}});
  }
  return all;
}

Json figures_json(const plots::RunSet& runs) {
  Json all = Json::object();
  for (const plots::ResultFigure& figure : plots::result_figures())
    all[figure.name] = Json::parse(plots::to_json(figure.table(runs)));
  return all;
}

}  // namespace ebb::report
