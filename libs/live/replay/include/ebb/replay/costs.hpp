// SPDX-License-Identifier: Apache-2.0
//
// What the energy of a replay costs and emits, by a scenario file; docs/replay.md lists the keys:
//
//   schema_version: 1
//   currency: EUR
//   utc_offset: 1h                           # of the hours of the tariff
//   price: 0.25                              # for a kWh; or by hour of day:
//   price: [{from: 0, until: 7, price: 0.18}, {from: 7, until: 24, price: 0.31}]
//   demand_charge: 12.50                     # for a kW of the highest hour of each month
//   pue: 1.4                                 # or by outside temperature:
//   pue: {temperatures: town.csv, points: [[0, 1.1], [30, 1.5]]}
//   carbon: 250                              # grams for a kWh; or a series:
//   carbon: {file: FR_2024_hourly.csv, kind: life-cycle}
//   embodied: [{part: switch, count: 9, kg: 1100, years: 6, source: 'the maker, 2023'}]
//
// All energy is that of the site: what ports draw times the PUE of the hour.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/replay/meter.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::replay {

// By hour since 1970, UTC.
using HourSeries = std::map<std::int64_t, double>;

// What making parts emitted, in equal shares of the time that they are in use.
struct EmbodiedPart {
  std::string part;
  std::int64_t count = 1;
  double kg = 0;  // CO2 equivalent of each
  double years = 0;
  std::string source;

  // Of all of them, for a time.
  [[nodiscard]] double kg_of(LongTime time) const;
};

struct Scenario {
  std::string currency = "EUR";
  std::int64_t utc_offset = 0;                        // hours
  std::vector<double> price;                          // for a kWh, by hour of day; empty: not known
  double demand_charge = 0;                           // for a kW and month
  double pue = 1;                                     // where there are no temperatures
  HourSeries temperatures;                            // degrees Celsius
  std::vector<std::pair<double, double>> pue_points;  // temperature and PUE, ascending
  double carbon = 0;                                  // grams for a kWh, where there is no series
  HourSeries carbon_series;
  bool has_carbon = false;
  std::vector<EmbodiedPart> embodied;
};

// Files that it names are looked for beside it.
[[nodiscard]] Result<Scenario> read_scenario(const std::string& path);

// Of one policy; `saved` is what it would be with all awake, less what it is.
struct Cost {
  double kwh = 0;  // of the site, with its PUE
  double energy = 0;
  double demand = 0;
  double carbon = 0;  // kg

  [[nodiscard]] double money() const { return energy + demand; }
};
struct Costs {
  Cost all_awake;
  Cost used;
  // Hours that a series does not have: the value of the nearest hour before was taken, or of the
  // first.
  std::uint64_t hours_without_carbon = 0;
  std::uint64_t hours_without_temperature = 0;
};
[[nodiscard]] Costs costs(const Scenario& scenario, const std::vector<Hour>& hours);

}  // namespace ebb::replay
