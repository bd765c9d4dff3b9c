// SPDX-License-Identifier: Apache-2.0
//
// `ebb results`: the runs of a results file, for people and for other programs.
#include "command_line/command.hpp"

#include "command_line/text.hpp"

#include "ebb/results/export.hpp"
#include "ebb/results/labels.hpp"
#include "ebb/results/statistics.hpp"
#include "ebb/results/store.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace ebb::cli {
namespace {

using results::Record;
using results::Run;
using Align = Table::Align;

// A metric with its unit, rounded.
std::string value_text(const std::string& unit, double value) {
  if (unit == "ps") return short_text(Duration(std::llround(value)));
  if (unit == "W") return short_text(microwatts(std::llround(value * 1e6)));
  const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
  const std::string number =
      whole ? with_separators(static_cast<std::int64_t>(value)) : fmt::format("{:.4g}", value);
  return unit == "1" ? number : number + " " + unit;
}

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

std::string configuration_diff(const Run& a, const Run& b) {
  const auto differences = results::configuration_differences(a, b);
  if (differences.empty()) return "";
  Table table({{"configuration"}, {a.short_key()}, {b.short_key()}});
  for (const auto& [key, x, y] : differences)
    table.add({key, x.empty() ? "-" : x, y.empty() ? "-" : y});
  return table.text();
}

std::string metrics_diff(const Run& a, const Run& b) {
  const auto differences = results::metric_differences(a, b);
  if (differences.empty()) return "";
  Table table({{"metric"},
               {a.short_key(), Align::right},
               {b.short_key(), Align::right},
               {"change", Align::right}});
  for (const auto& [name, unit, x, y] : differences) {
    std::vector<std::string> cells = {name, x ? value_text(unit, *x) : "-",
                                      y ? value_text(unit, *y) : "-"};
    if (x) cells.push_back(y ? change_text(*x, *y) : "");
    table.add(std::move(cells));
  }
  return table.text();
}

// A table, one run per line, with a column for each key in which runs differ.
std::string list_text(const std::vector<Run>& runs) {
  const results::RunLabels labels(runs);
  const std::vector<std::string>& keys = labels.varied();
  std::vector<Table::Column> columns = {{"run", Align::right}, {"key"}, {"label"}};
  for (const std::string& title : results::varied_titles(keys)) columns.push_back({title});
  for (const char* title : {"seed", "power", "latency", "p99"})
    columns.push_back({title, Align::right});
  columns.push_back({"status"});
  Table table(std::move(columns));
  for (const Run& run : runs) {
    std::vector<std::string> cells = {std::to_string(run.id), run.short_key(), run.label};
    for (const std::string& key : keys) cells.push_back(labels.value(run, key));
    cells.push_back(std::to_string(run.seed));
    cells.push_back(percent(run, "power.relative"));
    cells.push_back(metric_text(run, "packet_latency.mean"));
    cells.push_back(metric_text(run, "packet_latency.p99"));
    cells.emplace_back(to_text(run.status));
    table.add(std::move(cells));
  }
  return table.text();
}

// Everything about one run.
std::string show_text(const Record& record) {
  std::string text = head_text(record.run);
  if (!record.run.metrics.empty()) text += "\n" + metrics_table(record.run);
  if (!record.residency.empty()) text += "\n" + residency_table(record.residency);
  const std::string kept = kept_text(record);
  return kept.empty() ? text : text + "\n" + kept;
}

// Where two runs differ: keys of the configuration, then metrics. Empty when nowhere.
std::string diff_text(const Run& a, const Run& b) {
  const std::string configuration = configuration_diff(a, b);
  const std::string metrics = metrics_diff(a, b);
  return configuration + (configuration.empty() || metrics.empty() ? "" : "\n") + metrics;
}

using results::Store;

struct Options {
  std::string file;
  std::string run;
  std::string other;
  std::string csv_folder;
  bool json = false;
};

ExitCode list(const Options& /*options*/, const Store& store) {
  const auto runs = store.runs();
  if (!runs) return refuse(runs.error());
  fmt::print("{}", list_text(*runs));
  return ExitCode::done;
}

ExitCode show(const Options& options, const Store& store) {
  const auto runs = store.runs();
  if (!runs) return refuse(runs.error());
  const auto run = results::find_run(*runs, options.run);
  if (!run) return refuse(run.error());
  const auto record = store.record(**run);
  if (!record) return refuse(record.error());
  fmt::print("{}", show_text(*record));
  return ExitCode::done;
}

ExitCode export_runs(const Options& options, const Store& store) {
  if (options.json == !options.csv_folder.empty()) {
    return refuse({{"give one of --json and --csv FOLDER"}});
  }
  const Errors errors =
      options.json ? export_json(store, [](std::string_view text) { fmt::print("{}", text); })
                   : export_csv(store, options.csv_folder);
  return errors.empty() ? ExitCode::done : failed_outside(errors);
}

ExitCode diff(const Options& options, const Store& store) {
  const auto runs = store.runs();
  if (!runs) return refuse(runs.error());
  const auto a = results::find_run(*runs, options.run);
  const auto b = results::find_run(*runs, options.other);
  Errors errors;
  if (!a) errors = a.error();
  if (!b) errors.insert(errors.end(), b.error().begin(), b.error().end());
  if (!errors.empty()) return refuse(errors);
  const std::string text = diff_text(**a, **b);
  fmt::print("{}", text.empty() ? "no difference\n" : text);
  return text.empty() ? ExitCode::done : ExitCode::not_met;
}

using Action = ExitCode (*)(const Options&, const Store&);

CLI::App* add_verb(CLI::App& parent, const std::string& name, const std::string& help,
                   const std::shared_ptr<Options>& options, ExitCode& code, Action action) {
  CLI::App* verb = parent.add_subcommand(name, help);
  verb->add_option("file", options->file, "Results file (docs/results.md)")
      ->type_name("FILE")
      ->required();
  verb->callback([options, &code, action] {
    const auto store = Store::open_to_read(options->file);
    code = store ? action(*options, *store) : refuse(store.error());
  });
  return verb;
}

}  // namespace

void add_results_command(CLI::App& app, ExitCode& code) {
  CLI::App* parent = app.add_subcommand("results", "The runs in a results file");
  parent->require_subcommand(1);
  const auto options = std::make_shared<Options>();
  constexpr const char* kRun = "Number of a run, its key or the beginning of it";

  add_verb(*parent, "list", "Every run in a line", options, code, list);
  add_verb(*parent, "show", "Everything about a run", options, code, show)
      ->add_option("run", options->run, kRun)
      ->required();
  CLI::App* exported =
      add_verb(*parent, "export", "For other programs", options, code, export_runs);
  exported->add_flag("--json", options->json, "Everything as one JSON object, sorted by key");
  exported->add_option("--csv", options->csv_folder, "Tables as CSV files in this folder")
      ->type_name("FOLDER");
  CLI::App* two = add_verb(*parent, "diff", "Where two runs differ", options, code, diff);
  two->add_option("run", options->run, kRun)->required();
  two->add_option("other", options->other, "Likewise")->required();
}

}  // namespace ebb::cli
