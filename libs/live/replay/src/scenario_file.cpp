// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/text_lines.hpp"
#include "ebb/counters/reader.hpp"
#include "ebb/files/document.hpp"
#include "ebb/replay/costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

namespace ebb::replay {
namespace {

constexpr std::size_t kLargestScenario = 1 << 20;
constexpr std::size_t kLargestSeries = 64 << 20;

std::optional<double> number_in(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc() || stopped != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<double> number_of(const files::Value& value, double least, double most,
                                files::Diagnostics& errors) {
  const auto text = value.text(errors);
  if (!text) return std::nullopt;
  const auto number = number_in(*text);
  if (number && *number >= least && *number <= most) return number;
  value.report(errors, fmt::format("must be a number from {} to {}", least, most));
  return std::nullopt;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& one : result) one = static_cast<char>(std::tolower(static_cast<unsigned char>(one)));
  return result;
}

// A CSV file with a header: the first column whose name begins with `time` or `datetime`, and the
// first whose name has all of `words`. The mean of each hour; a day or a month stands for the hours
// until the next row.
Result<HourSeries> read_series(const std::string& path, const std::vector<std::string>& words) {
  const auto text = files::read_file(path, kLargestSeries);
  if (!text) return fail(text.error());
  TextLines lines(*text, path);
  if (!lines.next()) return fail("an empty file", {.file = path});
  const auto header = fields_of(lines.line(), ',');
  std::size_t time = header.size();
  std::size_t value = header.size();
  for (std::size_t which = 0; which < header.size(); ++which) {
    const std::string name = lower(header[which]);
    if (time == header.size() && (name.starts_with("time") || name.starts_with("datetime")))
      time = which;
    // Electricity Maps; an older form of its files says LCA for the life cycle.
    const bool has_all = std::all_of(words.begin(), words.end(), [&](const std::string& word) {
      return name.find(word) != std::string::npos ||
             (word == "cycle" && name.find("lca") != std::string::npos);
    });
    if (value == header.size() && has_all) value = which;
  }
  if (time == header.size() || value == header.size()) {
    return fail(fmt::format("the first line must name a column 'time' and one with '{}'",
                            fmt::join(words, " ")),
                {.file = path, .line = lines.number()});
  }
  std::map<std::int64_t, std::pair<double, int>> sums;
  while (lines.next()) {
    const auto fields = fields_of(lines.line(), ',');
    if (fields.size() != header.size()) {
      lines.report(fmt::format("a row has {} fields", header.size()));
      continue;
    }
    if (fields[value].empty()) continue;
    const auto at = counters::parse_time(fields[time]);
    const auto number = number_in(fields[value]);
    if (!at) lines.report(fmt::format("'{}' is no time", shown(fields[time])));
    if (!number) lines.report(fmt::format("'{}' is not a number", shown(fields[value])));
    if (!at || !number) continue;
    auto& [sum, count] = sums[*at / std::chrono::hours(1)];
    sum += *number;
    ++count;
  }
  if (lines.has_errors()) return fail(lines.take_errors());
  HourSeries series;
  for (const auto& [hour, mean] : sums) series[hour] = mean.first / mean.second;
  if (series.empty()) return fail("no row has a value", {.file = path});
  return series;
}

class ScenarioReader {
 public:
  ScenarioReader(const std::string& path, files::Diagnostics& errors)
      : path_(path), errors_(errors) {}

  Scenario read(const files::Value& root) {
    files::Section section(root, errors_);
    section.require_schema_version(1);
    scenario_.currency = section.find_text("currency").value_or(scenario_.currency);
    if (const auto offset = section.find<Duration>("utc_offset")) {
      scenario_.utc_offset = *offset / std::chrono::hours(1);
      constexpr std::int64_t kMost = 14;
      if (*offset % std::chrono::hours(1) != Duration{} || std::abs(scenario_.utc_offset) > kMost)
        section.find("utc_offset")->report(errors_, "must be whole hours, from -14h to 14h");
    }
    if (const auto price = section.find("price")) read_price(*price);
    if (const auto charge = section.find("demand_charge"))
      scenario_.demand_charge = number_of(*charge, 0, kMostMoney, errors_).value_or(0);
    if (const auto pue = section.find("pue")) read_pue(*pue);
    if (const auto carbon = section.find("carbon")) read_carbon(*carbon);
    if (const auto embodied = section.find("embodied")) read_embodied(*embodied);
    section.finish();
    return std::move(scenario_);
  }

 private:
  static constexpr double kMostMoney = 1e6;
  static constexpr double kMostPue = 10;

  void read_price(const files::Value& value) {
    if (value.is_scalar()) {
      const auto price = number_of(value, -kMostMoney, kMostMoney, errors_);
      if (price) scenario_.price.assign(kHoursOfDay, *price);
      return;
    }
    const auto parts = value.list(errors_);
    if (!parts) return;
    std::vector<int> times(kHoursOfDay);
    scenario_.price.resize(kHoursOfDay);
    for (const files::Value& part : *parts) {
      files::Section section(part, errors_);
      const auto from = section.require_integer("from", 0, kHoursOfDay - 1);
      const auto until = section.require_integer("until", 1, kHoursOfDay);
      const auto price = section.require("price");
      const auto number =
          price ? number_of(*price, -kMostMoney, kMostMoney, errors_) : std::nullopt;
      section.finish();
      if (!from || !until || !number) return;
      for (std::int64_t hour = *from; hour < *until; ++hour) {
        ++times[static_cast<std::size_t>(hour)];
        scenario_.price[static_cast<std::size_t>(hour)] = *number;
      }
    }
    if (std::any_of(times.begin(), times.end(), [](int count) { return count != 1; }))
      value.report(errors_, "each hour of the day must have one price");
  }

  std::optional<HourSeries> series(const files::Value& name,
                                   const std::vector<std::string>& words) {
    const auto file = name.text(errors_);
    if (!file) return std::nullopt;
    auto found = read_series(files::beside(path_, *file), words);
    if (found) return std::move(*found);
    for (const Error& error : found.error()) name.report(errors_, to_string(error));
    return std::nullopt;
  }

  void read_pue(const files::Value& value) {
    if (value.is_scalar()) {
      scenario_.pue = number_of(value, 1, kMostPue, errors_).value_or(1);
      return;
    }
    files::Section section(value, errors_);
    if (const auto file = section.require("temperatures"))
      scenario_.temperatures = series(*file, {"temperature"}).value_or(HourSeries{});
    const auto points = section.require("points");
    const auto list = points ? points->list(errors_) : std::nullopt;
    section.finish();
    if (!list) return;
    for (const files::Value& point : *list) {
      const auto pair = point.list(errors_);
      if (!pair) return;
      if (pair->size() != 2) return point.report(errors_, "a point is [temperature, PUE]");
      constexpr double kCold = -90;
      constexpr double kHot = 60;
      const std::optional<double> at = number_of((*pair)[0], kCold, kHot, errors_);
      const std::optional<double> pue = number_of((*pair)[1], 1, kMostPue, errors_);
      if (!at || !pue) return;
      if (!scenario_.pue_points.empty() && *at <= scenario_.pue_points.back().first)
        return point.report(errors_, "temperatures must ascend");
      scenario_.pue_points.emplace_back(*at, *pue);
    }
    if (scenario_.pue_points.empty()) points->report(errors_, "no point");
  }

  void read_carbon(const files::Value& value) {
    scenario_.has_carbon = true;
    constexpr double kMostGrams = 10'000;
    if (value.is_scalar()) {
      scenario_.carbon = number_of(value, 0, kMostGrams, errors_).value_or(0);
      return;
    }
    files::Section section(value, errors_);
    const bool direct = section.require_one_of("kind", {"direct", "life-cycle"}) == "direct";
    if (const auto file = section.require("file")) {
      auto found = series(*file, {"carbon intensity", direct ? "direct" : "cycle"});
      scenario_.carbon_series = std::move(found).value_or(HourSeries{});
    }
    section.finish();
  }

  // All such numbers are estimates, so each says where it is from.
  void read_embodied(const files::Value& value) {
    const auto parts = value.list(errors_);
    if (!parts) return;
    constexpr std::int64_t kMostParts = 10'000'000;
    constexpr double kMostKilograms = 1e6;
    constexpr double kMostYears = 100;
    for (const files::Value& part : *parts) {
      files::Section section(part, errors_);
      EmbodiedPart one{.part = section.require_text("part").value_or(""),
                       .count = section.find_integer("count", 1, kMostParts).value_or(1)};
      if (const auto kg = section.require("kg"))
        one.kg = number_of(*kg, 0, kMostKilograms, errors_).value_or(0);
      if (const auto years = section.require("years"))
        one.years = number_of(*years, 1, kMostYears, errors_).value_or(1);
      one.source = section.require_text("source").value_or("");
      if (const auto source = section.find("source"); source && one.source.empty())
        source->report(errors_, "must say where the number is from");
      section.finish();
      scenario_.embodied.push_back(std::move(one));
    }
  }

  const std::string& path_;
  files::Diagnostics& errors_;
  Scenario scenario_;
};

}  // namespace

Result<Scenario> read_scenario(const std::string& path) {
  const auto text = files::read_file(path, kLargestScenario);
  if (!text) return fail(text.error());
  files::Diagnostics errors(path);
  const auto root = files::read_yaml(*text, errors);
  if (!root) return fail(errors.take());
  Scenario scenario = ScenarioReader(path, errors).read(*root);
  if (!errors.empty()) return fail(errors.take());
  return scenario;
}

}  // namespace ebb::replay
