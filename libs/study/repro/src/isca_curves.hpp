// SPDX-License-Identifier: Apache-2.0
//
// Figures with a curve for each of the workloads of "Energy Proportional Datacenter Networks".
#pragma once

#include "beside_published.hpp"

#include <string>
#include <vector>

namespace ebb::repro {

struct Abscissa {
  double x = 0;
  std::string name;  // at the end of the names of measurements
};

// Adds the curves to a figure that has its title and axes. Measurements are called
// <what><workload>_<name of the abscissa>.
[[nodiscard]] plots::Figure with_curves(plots::Figure frame, const std::string& what,
                                        const std::vector<Abscissa>& abscissae,
                                        const Measurements& measured);

}  // namespace ebb::repro
