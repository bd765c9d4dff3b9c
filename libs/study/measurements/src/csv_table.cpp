// SPDX-License-Identifier: Apache-2.0
#include "csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <string>
#include <utility>

namespace ebb::measurements {
namespace {

constexpr double kMostSeriesWatts = 1e6;

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

}  // namespace

bool is_gap(std::string_view field) {
  const std::string text = lower_case(field);
  return text.empty() || text == "nan" || text == ".nan" || text == "null";
}

CsvTable::CsvTable(const CsvText& csv, std::vector<std::string_view> columns)
    : lines_(csv.text, csv.file), columns_(std::move(columns)) {
  if (lines_.next()) {
    read_header();
  } else {
    lines_.report("the file is empty", 1);
  }
}

bool CsvTable::next() {
  while (!is_broken_ && lines_.next()) {
    fields_ = fields_of(lines_.line(), ',');
    if (fields_.size() == width_) return true;
    lines_.report(fmt::format("a row has {} fields, this one has {}", width_, fields_.size()));
  }
  return false;
}

std::optional<counters::UnixTime> CsvTable::time() {
  const auto at = counters::parse_time(field(0));
  if (!at) {
    lines_.report(fmt::format("'{}' is no time: seconds since 1970, or 2024-01-01T00:00:00Z",
                              shown(field(0))));
  }
  return at;
}

std::optional<double> CsvTable::watts(std::size_t column) {
  const std::string_view text = field(column);
  if (is_gap(text)) return std::numeric_limits<double>::quiet_NaN();
  double watts = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, watts);
  if (error == std::errc{} && at == end && watts <= kMostSeriesWatts)
    return watts < 0 ? std::numeric_limits<double>::quiet_NaN() : watts;
  lines_.report(fmt::format("expected watts up to {}, got '{}'", kMostSeriesWatts, shown(text)));
  return std::nullopt;
}

void CsvTable::read_header() {
  const auto names = fields_of(lines_.line(), ',');
  width_ = names.size();
  std::vector<std::string_view> missing;
  for (const std::string_view column : columns_) {
    const auto found = std::find_if(names.begin(), names.end(), [&](std::string_view name) {
      return lower_case(name) == column;
    });
    places_.push_back(static_cast<std::size_t>(found - names.begin()));
    if (found == names.end()) missing.push_back(column);
  }
  is_broken_ = !missing.empty();
  if (is_broken_) {
    lines_.report(
        fmt::format("the first line must name the columns; missing: {}", fmt::join(missing, ", ")));
  }
}

}  // namespace ebb::measurements
