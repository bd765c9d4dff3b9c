// SPDX-License-Identifier: Apache-2.0
#include "experiments/measure.hpp"

#include "ebb/repro/experiment.hpp"

namespace ebb::repro {

// One line per measured row.
std::span<const Experiment> experiments() {
  static const std::vector<Experiment> kExperiments = {
      {"A1", measure_isca_table_1},
      {"A2", measure_isca_links},
      {"A3", measure_isca_ports},
      {"A4", measure_isca_money},
      {"A5", measure_isca_figure_1},
      {"A6", measure_isca_ideal_channels, Cost::simulated},
      {"A7", measure_isca_measured_channels, Cost::simulated},
      {"A8", measure_isca_speeds, Cost::simulated},
      {"A9", measure_isca_latency, Cost::simulated},
      {"A10", measure_isca_independent_latency, Cost::simulated},
      {"A13", measure_isca_always_slowest, Cost::simulated},
      {"B1", measure_exascale_rules},
      {"B3", measure_exascale_sizes},
      {"D2", measure_multi_tree_distances},
  };
  return kExperiments;
}

}  // namespace ebb::repro
