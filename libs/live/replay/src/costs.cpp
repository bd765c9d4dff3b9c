// SPDX-License-Identifier: Apache-2.0
#include "ebb/replay/costs.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace ebb::replay {
namespace {

constexpr double kGramsOfKilogram = 1000;

std::int64_t hour_of_day(std::int64_t hour) {
  return (hour % kHoursOfDay + kHoursOfDay) % kHoursOfDay;
}

// Months since 1970 of an hour, local time.
std::int64_t month_of(std::int64_t hour) {
  const std::chrono::sys_days day{std::chrono::days{hour / kHoursOfDay}};
  const std::chrono::year_month_day date{day};
  constexpr std::int64_t kMonths = 12;
  return int{date.year()} * kMonths + unsigned{date.month()};
}

// The value of the hour, or of the nearest hour before, or of the first.
double value_at(const HourSeries& series, std::int64_t hour, std::uint64_t& missing) {
  auto after = series.upper_bound(hour);
  if (after == series.begin()) {
    ++missing;
    return after->second;
  }
  --after;
  if (after->first != hour) ++missing;
  return after->second;
}

// On the straight line between two points; beyond the ends as at the ends.
double on_curve(const std::vector<std::pair<double, double>>& points, double at) {
  if (at <= points.front().first) return points.front().second;
  for (std::size_t which = 1; which < points.size(); ++which) {
    const auto& [x0, y0] = points[which - 1];
    const auto& [x1, y1] = points[which];
    if (at <= x1) return y0 + (y1 - y0) * (at - x0) / (x1 - x0);
  }
  return points.back().second;
}

// Adds hours of energy, and the highest of each month.
class Bill {
 public:
  explicit Bill(const Scenario& scenario) : scenario_(scenario) {}

  void add(std::int64_t hour, LongTime time, double kwh, double grams_per_kwh) {
    const std::int64_t local = hour + scenario_.utc_offset;
    cost_.kwh += kwh;
    if (!scenario_.price.empty())
      cost_.energy += kwh * scenario_.price[static_cast<std::size_t>(hour_of_day(local))];
    cost_.carbon += kwh * grams_per_kwh / kGramsOfKilogram;
    const double length = std::chrono::duration<double, std::ratio<3600>>(time).count();
    double& highest = highest_kw_[month_of(local)];
    if (length > 0) highest = std::max(highest, kwh / length);
  }

  [[nodiscard]] Cost total() const {
    Cost cost = cost_;
    for (const auto& [month, kw] : highest_kw_) cost.demand += kw * scenario_.demand_charge;
    return cost;
  }

 private:
  const Scenario& scenario_;
  Cost cost_;
  std::map<std::int64_t, double> highest_kw_;  // by month
};

}  // namespace

double EmbodiedPart::kg_of(LongTime time) const {
  constexpr double kHoursOfYear = 8766;
  const double hours = std::chrono::duration<double, std::ratio<3600>>(time).count();
  return static_cast<double>(count) * kg * hours / (years * kHoursOfYear);
}

Costs costs(const Scenario& scenario, const std::vector<Hour>& hours) {
  Costs result;
  Bill all_awake(scenario);
  Bill used(scenario);
  for (const Hour& hour : hours) {
    const double pue =
        scenario.temperatures.empty()
            ? scenario.pue
            : on_curve(scenario.pue_points, value_at(scenario.temperatures, hour.number,
                                                     result.hours_without_temperature));
    const double carbon =
        scenario.carbon_series.empty()
            ? scenario.carbon
            : value_at(scenario.carbon_series, hour.number, result.hours_without_carbon);
    all_awake.add(hour.number, hour.time, to_kwh(hour.all_awake) * pue, carbon);
    used.add(hour.number, hour.time, to_kwh(hour.used) * pue, carbon);
  }
  result.all_awake = all_awake.total();
  result.used = used.total();
  return result;
}

}  // namespace ebb::replay
