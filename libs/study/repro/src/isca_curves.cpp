// SPDX-License-Identifier: Apache-2.0
#include "isca_curves.hpp"

#include "isca_network.hpp"

#include <utility>

namespace ebb::repro {

plots::Figure with_curves(plots::Figure frame, const std::string& what,
                          const std::vector<Abscissa>& abscissae, const Measurements& measured) {
  frame.kind = plots::Kind::lines;
  for (const IscaWorkload& workload : isca_workloads()) {
    plots::Series curve{workload.label, {}};
    for (const Abscissa& at : abscissae) {
      const std::string name = what + workload.name + "_" + at.name;
      curve.points.push_back({at.x, value_of(measured, name), {}});
    }
    frame.series.push_back(std::move(curve));
  }
  return frame;
}

}  // namespace ebb::repro
