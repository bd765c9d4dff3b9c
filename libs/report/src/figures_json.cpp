// SPDX-License-Identifier: Apache-2.0
#include "figures_json.hpp"

#include "ebb/figures/result_figures.hpp"

#include <optional>
#include <string>

namespace ebb::report {

Json experiments_json(const figures::RunSet& runs) {
  Json all = Json::array();
  for (const figures::Repetitions& experiment : runs.experiments()) {
    const auto load = experiment.group.first().parameter("traffic.injection.load");
    all.push_back({{"label", experiment.label},
                   {"series", experiment.series},
                   {"offered_load", experiment.offered_load},
                   {"load", load ? Json(*load) : Json(nullptr)}});
  }
  return all;
}

Json figures_json(const figures::RunSet& runs) {
  Json all = Json::object();
  for (const figures::ResultFigure& figure : figures::result_figures())
    all[figure.name] = Json::parse(figures::to_json(figure.table(runs)));
  return all;
}

}  // namespace ebb::report
