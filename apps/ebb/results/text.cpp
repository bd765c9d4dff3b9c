// SPDX-License-Identifier: Apache-2.0
#include "results/text.hpp"

#include "command_line/short_text.hpp"
#include "command_line/table.hpp"

#include "ebb/files/leaves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace ebb::cli {
namespace {

using results::Record;
using results::Run;
using Align = Table::Align;

std::string metric_text(const Run& run, std::string_view name) {
  for (const results::Metric& metric : run.metrics) {
    if (metric.name == name) return value_text(metric.unit, metric.value);
  }
  return "";
}

std::string percent(const Run& run, std::string_view metric) {
  const auto value = run.metric(metric);
  return value ? fmt::format("{:.1f} %", 100 * *value) : "";
}

std::string labelled(std::string_view label, const std::string& text) {
  return fmt::format("{:<14}{}\n", label, text);
}

std::string indented(const std::string& text) {
  std::string result = "  ";
  for (const char c : text) result += c == '\n' ? std::string("\n  ") : std::string(1, c);
  while (!result.empty() && (result.back() == ' ' || result.back() == '\n')) result.pop_back();
  return result + "\n";
}

std::string head_text(const Run& run) {
  std::string text = labelled("run", std::to_string(run.id)) + labelled("key", run.key) +
                     labelled("setup", run.setup) + labelled("label", run.label) +
                     labelled("version", "ebb " + run.version) +
                     labelled("seed", std::to_string(run.seed)) +
                     labelled("status", std::string(to_text(run.status)));
  for (const results::Parameter& parameter : run.parameters)
    text += labelled("set", fmt::format("{} = {}", parameter.key, parameter.value));
  if (!run.error.empty()) text += "\nerror\n" + indented(run.error);
  return text + "\nconfiguration\n" + indented(run.configuration);
}

std::string metrics_table(const Run& run) {
  Table table({{"metric"}, {"value", Align::right}});
  for (const results::Metric& metric : run.metrics)
    table.add({metric.name, value_text(metric.unit, metric.value)});
  return table.text();
}

// Shares of the time of all meters of the class.
std::string residency_table(const std::vector<results::StateTime>& states) {
  std::map<std::string, double> whole;
  for (const auto& state : states)
    whole[state.meter_class] += static_cast<double>(state.time.count());
  Table table({{"meters"}, {"state"}, {"share of time", Align::right}});
  for (const auto& state : states) {
    const double all = whole[state.meter_class];
    const double share = all == 0 ? 0 : static_cast<double>(state.time.count()) / all;
    table.add({state.meter_class, state.name, fmt::format("{:.1f} %", 100 * share)});
  }
  return table.text();
}

std::string kept_text(const Record& record) {
  std::string text;
  for (const results::Histogram& histogram : record.histograms) {
    const std::size_t buckets = histogram.buckets.size();
    text += labelled("histogram", fmt::format("{}, {} {}", histogram.name, buckets,
                                              buckets == 1 ? "bucket" : "buckets"));
  }
  if (!record.channels.empty()) {
    const auto channels = static_cast<std::int64_t>(record.channels.size());
    text += labelled("channels", with_separators(channels));
  }
  if (record.series) {
    text += labelled("series", fmt::format("{} frames of {}", record.series->frames(),
                                           short_text(record.series->every)));
  }
  return text;
}

std::string change_text(double a, double b) {
  if (a == 0) return "";
  return fmt::format("{:+.1f} %", 100 * (b - a) / std::abs(a));
}

std::map<std::string, std::string> values_of(const Run& run) {
  std::map<std::string, std::string> values;
  const auto leaves = files::leaves(run.configuration);
  if (!leaves) return {{"(configuration)", run.configuration}};
  for (const files::Leaf& leaf : *leaves) values[leaf.path] = leaf.value;
  return values;
}

std::string configuration_diff(const Run& a, const Run& b) {
  const auto left = values_of(a);
  auto right = values_of(b);
  Table table({{"configuration"}, {short_key(a)}, {short_key(b)}});
  bool same = true;
  const auto add = [&](const std::string& key, const std::string& x, const std::string& y) {
    if (x == y) return;
    same = false;
    table.add({key, x.empty() ? "-" : x, y.empty() ? "-" : y});
  };
  add("(version)", a.version, b.version);
  for (const auto& [key, value] : left) add(key, value, right[key]);
  for (const auto& [key, value] : right) {
    if (left.count(key) == 0) add(key, "", value);
  }
  return same ? "" : table.text();
}

std::string metrics_diff(const Run& a, const Run& b) {
  Table table({{"metric"},
               {short_key(a), Align::right},
               {short_key(b), Align::right},
               {"change", Align::right}});
  bool same = true;
  const auto add = [&](std::vector<std::string> cells) {
    same = false;
    table.add(std::move(cells));
  };
  for (const results::Metric& metric : a.metrics) {
    const auto other = b.metric(metric.name);
    if (other == metric.value) continue;
    add({metric.name, value_text(metric.unit, metric.value),
         other ? value_text(metric.unit, *other) : "-",
         other ? change_text(metric.value, *other) : ""});
  }
  for (const results::Metric& metric : b.metrics) {
    if (!a.metric(metric.name)) add({metric.name, "-", value_text(metric.unit, metric.value)});
  }
  return same ? "" : table.text();
}

}  // namespace

std::string short_key(const Run& run) { return run.key.substr(0, 8); }

std::string value_text(const std::string& unit, double value) {
  if (unit == "ps") return short_text(Duration(std::llround(value)));
  if (unit == "W") return short_text(microwatts(std::llround(value * 1e6)));
  const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
  const std::string number =
      whole ? with_separators(static_cast<std::int64_t>(value)) : fmt::format("{:.4g}", value);
  return unit == "1" ? number : number + " " + unit;
}

std::vector<std::string> parameter_keys(const std::vector<Run>& runs) {
  std::vector<std::string> keys;
  for (const Run& run : runs) {
    for (const results::Parameter& parameter : run.parameters) {
      if (std::find(keys.begin(), keys.end(), parameter.key) == keys.end())
        keys.push_back(parameter.key);
    }
  }
  return keys;
}

std::vector<std::string> column_titles(const std::vector<std::string>& keys) {
  const auto last_word = [](const std::string& key) { return key.substr(key.rfind('.') + 1); };
  std::vector<std::string> titles;
  for (const std::string& key : keys) {
    const auto alike = std::count_if(keys.begin(), keys.end(), [&](const std::string& other) {
      return last_word(other) == last_word(key);
    });
    titles.push_back(alike == 1 ? last_word(key) : key);
  }
  return titles;
}

std::string list_text(const std::vector<Run>& runs) {
  const std::vector<std::string> keys = parameter_keys(runs);
  std::vector<Table::Column> columns = {{"run", Align::right}, {"key"}, {"label"}};
  for (const std::string& title : column_titles(keys)) columns.push_back({title});
  for (const char* title : {"seed", "power", "latency", "p99"})
    columns.push_back({title, Align::right});
  columns.push_back({"status"});
  Table table(std::move(columns));
  for (const Run& run : runs) {
    std::vector<std::string> cells = {std::to_string(run.id), short_key(run), run.label};
    for (const std::string& key : keys) cells.push_back(run.parameter(key).value_or(""));
    cells.push_back(std::to_string(run.seed));
    cells.push_back(percent(run, "power.relative"));
    cells.push_back(metric_text(run, "packet_latency.mean"));
    cells.push_back(metric_text(run, "packet_latency.p99"));
    cells.emplace_back(to_text(run.status));
    table.add(std::move(cells));
  }
  return table.text();
}

std::string show_text(const Record& record) {
  std::string text = head_text(record.run);
  if (!record.run.metrics.empty()) text += "\n" + metrics_table(record.run);
  if (!record.residency.empty()) text += "\n" + residency_table(record.residency);
  const std::string kept = kept_text(record);
  return kept.empty() ? text : text + "\n" + kept;
}

std::string diff_text(const Run& a, const Run& b) {
  const std::string configuration = configuration_diff(a, b);
  const std::string metrics = metrics_diff(a, b);
  return configuration + (configuration.empty() || metrics.empty() ? "" : "\n") + metrics;
}

}  // namespace ebb::cli
