// SPDX-License-Identifier: Apache-2.0
#include "ebb/measurements/supply_fit.hpp"

#include "csv_table.hpp"
#include "least_squares.hpp"

#include "ebb/power/power_supply.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ebb::measurements {
namespace {

// Points that are closer than this cannot be told apart well.
constexpr double kLeastDistance = 0.01;
constexpr double kMillion = 1e6;
// Of part files.
constexpr double kLeastLoad = 0.001;
constexpr double kLeastEfficiency = 0.01;

std::optional<SampleLeftOut> reason_to_leave_out(double input, double output, double rated) {
  if (std::isnan(input) || std::isnan(output) || output <= 0) return SampleLeftOut::no_power;
  if (output > input) return SampleLeftOut::gain;
  if (output > rated) return SampleLeftOut::overload;
  return std::nullopt;
}

std::vector<double> points_of(const SupplySeries& series, const std::vector<double>& asked) {
  const auto [least, most] = std::minmax_element(series.loads.begin(), series.loads.end());
  std::vector<double> points = {*least};
  for (const double load : asked) {
    if (load > points.back() + kLeastDistance && load < *most - kLeastDistance)
      points.push_back(load);
  }
  if (*most > points.back()) points.push_back(*most);
  return points;
}

// A row for each sample: the two points between which it lies.
Eigen::MatrixXd shares_of(const std::vector<double>& loads, const std::vector<double>& points) {
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(loads.size()),
                                               static_cast<Eigen::Index>(points.size()));
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const auto after = std::upper_bound(points.begin() + 1, points.end() - 1, loads[i]);
    const double share = (loads[i] - *(after - 1)) / (*after - *(after - 1));
    const auto column = static_cast<Eigen::Index>(after - points.begin());
    rows(static_cast<Eigen::Index>(i), column - 1) = 1 - share;
    rows(static_cast<Eigen::Index>(i), column) = share;
  }
  return rows;
}

Ratio millionths(double share) {
  return {std::llround(share * kMillion), static_cast<std::int64_t>(kMillion)};
}

// What a part file takes of them.
Errors point_errors(const SupplyFit& fit) {
  Errors errors;
  for (const FittedPoint& point : fit.points) {
    if (point.load >= kLeastLoad && point.efficiency >= kLeastEfficiency && point.efficiency <= 1)
      continue;
    errors.push_back({fmt::format("{:.2f} % at {:.2f} % load: a part file has efficiencies of 1 to "
                                  "100 % at loads from 0.1 % on",
                                  100 * point.efficiency, 100 * point.load),
                      {}});
  }
  if (fit.points.size() < 2) errors.push_back({"fewer than two loads tell an efficiency", {}});
  return errors;
}

}  // namespace

std::string_view to_text(SampleLeftOut reason) {
  static constexpr std::array<std::string_view, kSampleLeftOutReasons> kNames = {
      "power not known", "more output than input", "more output than rated"};
  return kNames.at(static_cast<std::size_t>(reason));
}

Result<SupplySeries> read_supply(const CsvText& samples, Power rated) {
  CsvTable table(samples, {"time", "input_w", "output_w"});
  SupplySeries series{.rated = rated};
  const double most = static_cast<double>(rated.count()) / kMillion;
  std::optional<counters::UnixTime> before;
  while (table.next()) {
    const auto at = table.time();
    const auto input = table.watts(1);
    const auto output = table.watts(2);
    if (at && before && *at <= *before) table.lines().report("times must ascend");
    if (at) before = at;
    if (!input || !output) continue;
    if (const auto reason = reason_to_leave_out(*input, *output, most)) {
      ++series.left_out.at(static_cast<std::size_t>(*reason));
      continue;
    }
    series.loads.push_back(*output / most);
    series.efficiency.push_back(*output / *input);
  }
  if (Errors errors = table.lines().take_errors(); !errors.empty()) return fail(std::move(errors));
  return series;
}

Result<SupplyFit> fit_supply(const SupplySeries& series, const std::vector<double>& loads) {
  SupplyFit fit{.rated = series.rated, .samples = series.loads.size()};
  const auto too_few = [&](std::size_t points) {
    return fail(fmt::format("{} samples are too few for {} points", fit.samples, points));
  };
  if (series.loads.empty()) return too_few(2);
  const std::vector<double> points = points_of(series, loads);
  if (points.size() < 2) return fail("all samples have one load: an efficiency needs two");
  const Eigen::VectorXd values = Eigen::Map<const Eigen::VectorXd>(
      series.efficiency.data(), static_cast<Eigen::Index>(series.efficiency.size()));
  const auto squares = least_squares(shares_of(series.loads, points), values,
                                     std::vector<bool>(points.size(), false));
  if (!squares) return too_few(points.size());
  fit.residuals = residuals_of(*squares, values);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const LeastSquares::Column& column = squares->columns[i];
    if (column.identified) {
      fit.points.push_back({points[i], column.value, column.low, column.high});
    } else {
      fit.not_told.push_back(points[i]);
    }
  }
  return fit;
}

Result<power::Library> library_of(const SupplyFit& fit, const std::string& name,
                                  const power::Source& source) {
  if (Errors errors = point_errors(fit); !errors.empty()) return fail(std::move(errors));
  power::PowerSupply supply;
  power::Library library;
  const std::uint32_t measured = library.add_source(source);
  supply.rated = power::Sourced<Power>{fit.rated, measured};
  for (const FittedPoint& point : fit.points)
    supply.efficiency.push_back({millionths(point.load), {millionths(point.efficiency), measured}});
  if (supply.efficiency.back().load < Ratio(1, 1)) {
    const std::uint32_t kept = library.add_source(
        {.id = name + "-full-load",
         .title = source.title,
         .date = source.date,
         .evidence = power::Evidence::assumed,
         .note = fmt::format("More than {:.1f} % load was not seen: its efficiency is kept.",
                             100 * fit.points.back().load)});
    supply.efficiency.push_back({Ratio(1, 1), {supply.efficiency.back().efficiency.value, kept}});
  }
  Errors errors;
  for (const power::EfficiencyMistake& mistake : power::validate(supply.efficiency))
    errors.push_back({mistake.message, {}});
  if (!errors.empty()) return fail(std::move(errors));
  library.add_part(
      {.name = name, .summary = "Fitted to measured power", .body = std::move(supply)});
  return library;
}

}  // namespace ebb::measurements
