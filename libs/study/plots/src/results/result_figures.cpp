// SPDX-License-Identifier: Apache-2.0
#include "ebb/plots/result_figures.hpp"

#include "results/tables.hpp"

#include "ebb/core/names.hpp"

namespace ebb::plots {

std::span<const ResultFigure> result_figures() {
  static const std::vector<ResultFigure> kFigures = {
      {"power-load",
       "power of the channels over offered load, beside ideal",
       power_load_table,
       {.group = "series", .x = "offered_load", .curves = {{"power", ""}}},
       ideal_line},
      {"latency-load",
       "mean and 99th percentile of message latency over offered load",
       latency_load_table,
       {.group = "series",
        .x = "offered_load",
        .curves = {{"mean", "mean"}, {"p99", "p99"}},
        .y_label = "latency of messages",
        .log_y = true}},
      {"state-time",
       "share of the channels' time in each state",
       state_time_table,
       {.kind = Kind::stacked_bars,
        .group = "experiment",
        .curves = {{"share", ""}},
        .layer = "state"}},
      {"latency-cdf",
       "distribution of message latency",
       latency_cdf_table,
       {.group = "experiment", .x = "latency", .curves = {{"share", ""}}, .log_x = true}},
      {"savings-latency",
       "power saved against latency added",
       savings_latency_table,
       {.kind = Kind::points,
        .group = "series",
        .x = "latency",
        .curves = {{"saving", ""}},
        .label = "load"}},
      {"energy-parts",
       "power of channels and of switch cores",
       energy_parts_table,
       {.kind = Kind::stacked_bars,
        .group = "experiment",
        .curves = {{"power", ""}},
        .layer = "part"}},
      {"critical-path",
       "what made jobs as long as they are",
       critical_path_table,
       {.kind = Kind::stacked_bars,
        .group = "experiment",
        .curves = {{"time", ""}},
        .layer = "part"}},
  };
  return kFigures;
}

Figure figure_of(const ResultFigure& known, const Table& table) {
  const Drawing& drawing = known.drawing;
  const Axis first = axis_of(table, drawing.curves.front().column, drawing.log_y);
  Figure figure{.name = known.name, .title = table.title, .kind = drawing.kind, .y = first};
  if (!drawing.y_label.empty()) figure.y.label = drawing.y_label;
  if (drawing.kind == Kind::stacked_bars) {
    add_stack(table, {drawing.group, drawing.layer, drawing.curves.front().column}, figure);
    return figure;
  }
  figure.x = axis_of(table, drawing.x, drawing.log_x);
  for (const Drawing::Curve& curve : drawing.curves) {
    for (Series& series :
         series_from(table, {drawing.group, drawing.x, curve.column, drawing.label})) {
      if (!curve.label.empty()) series.label += ", " + curve.label;
      figure.series.push_back(std::move(series));
    }
  }
  if (known.references != nullptr) figure.references = known.references(table);
  return figure;
}

Result<const ResultFigure*> find_result_figure(std::string_view name) {
  return find_named("figure", result_figures(), name, &ResultFigure::name);
}

}  // namespace ebb::plots
