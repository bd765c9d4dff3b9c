// SPDX-License-Identifier: Apache-2.0
#include "sweep/summary.hpp"

#include "command_line/table.hpp"
#include "results/text.hpp"

#include "ebb/results/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ebb::cli {
namespace {

using results::Estimate;
using results::Group;
using results::Run;

// "40.21 +- 0.30", with the half width where there is one.
std::string interval(const Estimate& estimate, double scale) {
  std::string text = fmt::format("{:.2f}", estimate.mean * scale);
  if (estimate.half_width) text += fmt::format(" ± {:.2f}", *estimate.half_width * scale);
  return text;
}

std::string percent(const Group& group, std::string_view metric) {
  const auto value = estimate(group, metric);
  return value ? interval(*value, 100) + " %" : "";
}

// Of picoseconds, in the unit that suits the mean.
std::string time(const Group& group, std::string_view metric) {
  const auto value = estimate(group, metric);
  if (!value) return "";
  constexpr std::array<std::pair<double, const char*>, 4> kUnits = {
      {{1e12, "s"}, {1e9, "ms"}, {1e6, "us"}, {1e3, "ns"}}};
  for (const auto& [size, unit] : kUnits) {
    if (value->mean >= size) return interval(*value, 1 / size) + " " + unit;
  }
  return interval(*value, 1) + " ps";
}

// The latency of a saturated network depends on how long was measured.
std::string count_text(const Group& group) {
  const auto saturated = std::count_if(group.runs.begin(), group.runs.end(), [](const Run* run) {
    return run->metric("traffic.saturated") == 1.0;
  });
  return saturated == 0 ? std::to_string(group.runs.size())
                        : fmt::format("{} ({} saturated)", group.runs.size(), saturated);
}

std::string group_table(const std::vector<Run>& runs) {
  const std::vector<std::string> keys = parameter_keys(runs);
  std::vector<Table::Column> columns;
  for (const std::string& title : column_titles(keys)) columns.push_back({title});
  for (const char* title : {"runs", "accepted load", "power", "packet latency", "p99"})
    columns.push_back({title, Table::Align::right});
  Table table(std::move(columns));
  for (const Group& group : results::groups(runs)) {
    std::vector<std::string> cells;
    cells.reserve(keys.size() + 5);
    for (const std::string& key : keys) cells.push_back(group.first().parameter(key).value_or(""));
    cells.push_back(count_text(group));
    cells.push_back(percent(group, "traffic.accepted_load"));
    cells.push_back(percent(group, "power.relative"));
    cells.push_back(time(group, "packet_latency.mean"));
    cells.push_back(time(group, "packet_latency.p99"));
    table.add(std::move(cells));
  }
  return table.text();
}

std::string failures(const std::vector<Run>& runs) {
  std::string text;
  for (const Run& run : runs) {
    if (run.status != results::Status::failed) continue;
    text += fmt::format("failed: {}, seed {}", short_key(run), run.seed);
    for (const auto& [key, value] : run.parameters) text += fmt::format(", {}={}", key, value);
    text += ": " + run.error.substr(0, run.error.find('\n')) + "\n";
  }
  return text.empty() ? "" : "\n" + text;
}

}  // namespace

std::string sweep_summary(const std::vector<Run>& runs) {
  std::string text = group_table(runs);
  text += "\n± is the half width of the 95 % confidence interval over the seeds\n";
  return text + failures(runs);
}

}  // namespace ebb::cli
