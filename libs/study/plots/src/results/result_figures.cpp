// SPDX-License-Identifier: Apache-2.0
#include "ebb/plots/result_figures.hpp"

#include "results/tables.hpp"

#include "ebb/core/names.hpp"

namespace ebb::plots {

std::span<const ResultFigure> result_figures() {
  static const std::vector<ResultFigure> kFigures = {
      {"power-load", "power of the channels over offered load, beside ideal", power_load_table,
       draw_power_load},
      {"latency-load", "mean and 99th percentile of message latency over offered load",
       latency_load_table, draw_latency_load},
      {"state-time", "share of the channels' time in each state", state_time_table,
       draw_state_time},
      {"latency-cdf", "distribution of message latency", latency_cdf_table, draw_latency_cdf},
      {"savings-latency", "power saved against latency added", savings_latency_table,
       draw_savings_latency},
      {"energy-parts", "power of channels and of switch cores", energy_parts_table,
       draw_energy_parts},
  };
  return kFigures;
}

Result<const ResultFigure*> find_result_figure(std::string_view name) {
  return find_named("figure", result_figures(), name, &ResultFigure::name);
}

}  // namespace ebb::plots
