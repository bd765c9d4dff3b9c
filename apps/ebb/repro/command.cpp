// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"

#include "command_line/inputs.hpp"
#include "command_line/live_half.hpp"
#include "command_line/text.hpp"

#include "ebb/plots/gnuplot.hpp"
#include "ebb/repro/report.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace ebb::cli {
namespace {

using repro::Outcome;
using repro::Row;

struct Options {
  std::vector<std::string> ids;
  std::string folder;
  bool json = false;
};

std::string with_unit(const std::string& number, const std::string& unit) {
  return unit.empty() ? number : number + " " + unit;
}

void print_row(const Row& row, const std::vector<Outcome>& outcomes) {
  fmt::print("{}  {}\n{}{}\n", row.id, row.result, wrapped(row.paper, 100, "    "),
             wrapped(row.conditions, 100, "    "));
  Table table({{"value"},
               {"published", Table::Align::right},
               {"measured", Table::Align::right},
               {"tolerance"},
               {"verdict"}});
  for (const Outcome& outcome : outcomes) {
    const auto& published = outcome.published;
    table.add({published.label, with_unit(published.value, published.unit),
               with_unit(measured_text(published, outcome.measured), published.unit),
               tolerance_text(published), verdict_text(outcome.verdict)});
  }
  fmt::print("{}", table.text());
  if (!row.note.empty()) fmt::print("\n{}", wrapped(row.note, 100, "    "));
  fmt::print("\n");
}

nlohmann::ordered_json row_json(const Row& row, const std::vector<Outcome>& outcomes) {
  nlohmann::ordered_json values = nlohmann::ordered_json::array();
  for (const Outcome& outcome : outcomes) {
    values.push_back({{"name", outcome.published.name},
                      {"published", outcome.published.value},
                      {"measured", outcome.measured},
                      {"unit", outcome.published.unit},
                      {"tolerance", tolerance_text(outcome.published)},
                      {"verdict", verdict_text(outcome.verdict)}});
  }
  return {{"id", row.id},
          {"result", row.result},
          {"paper", row.paper},
          {"values", values},
          {"note", row.note}};
}

ExitCode list_rows() {
  const auto rows = repro::read_rows(data_folder() + "/repro");
  if (!rows) return refuse(rows.error());
  Table table({{"id"}, {"status"}, {"result"}, {"kind"}});
  for (const Row& row : *rows) {
    const auto* experiment = repro::find_experiment(row.id);
    table.add({row.id, experiment != nullptr ? cost_text(experiment->cost) : "not yet", row.result,
               row.kind});
  }
  fmt::print("{}", table.text());
  return ExitCode::done;
}

Result<std::vector<Row>> chosen_rows(const Options& options) {
  auto rows = repro::read_rows(data_folder() + "/repro");
  if (!rows) return rows;
  return repro::choose_rows(std::move(*rows), options.ids);
}

ExitCode run_rows(const Options& options) {
  const auto rows = chosen_rows(options);
  if (!rows) return refuse(rows.error());
  const auto parts = load_parts({});
  if (!parts) return refuse(parts.error());
  repro::RunCache cache(*parts, live_measures());
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  bool any_failed = false;
  for (const Row& row : *rows) {
    const auto finding = repro::run(row, cache);
    if (!finding && finding.error().front().message.starts_with(repro::kCannotRunHere))
      return failed_outside(finding.error());
    if (!finding) return refuse(finding.error());
    any_failed = any_failed || failed(*finding);
    if (options.json) all.push_back(row_json(row, finding->outcomes));
    if (!options.json) print_row(row, finding->outcomes);
  }
  if (options.json) fmt::print("{}\n", all.dump(2));
  return any_failed ? ExitCode::not_met : ExitCode::done;
}

// Before minutes are spent on measuring.
ExitCode prepare_folder(const std::string& folder) {
  if (plots::gnuplot_found()) return make_folder(folder);
  fmt::print(stderr, "error: {}; without -o the table alone is printed\n", plots::kGnuplotMissing);
  return ExitCode::outside;
}

ExitCode report_rows(const Options& options) {
  const auto rows = chosen_rows(options);
  if (!rows) return refuse(rows.error());
  if (!options.folder.empty()) {
    if (const auto code = prepare_folder(options.folder); code != ExitCode::done) return code;
  }
  const auto parts = load_parts({});
  if (!parts) return refuse(parts.error());
  repro::RunCache cache(*parts, live_measures());
  const auto entries = repro::measure(*rows, cache, [](const Row& row) {
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "{}: {}\n", row.id, row.result);
  });
  if (!entries) return refuse(entries.error());
  if (options.folder.empty()) {
    fmt::print("{}", report_markdown(*entries, repro::Pictures::left_out));
  } else if (const Errors errors = write_report(*entries, options.folder); !errors.empty()) {
    return failed_outside(errors);
  }
  return any_failed(*entries) ? ExitCode::not_met : ExitCode::done;
}

}  // namespace

void add_repro_command(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<Options>();
  CLI::App* repro =
      app.add_subcommand("repro", "Published results: what the papers say and what ebb measures");
  repro->require_subcommand(1);
  CLI::App* list =
      repro->add_subcommand("list", "Every published result, and whether ebb measures it yet");
  list->callback([&code] { code = list_rows(); });
  CLI::App* run = repro->add_subcommand(
      "run", "Measure results and print published, measured, tolerance, verdict");
  run->add_option("ids", options->ids, "Ids such as A1 B3")->type_name("RESULT")->required();
  run->add_flag("--json", options->json, "Machine-readable output");
  run->callback([options, &code] { code = run_rows(*options); });
  CLI::App* report = repro->add_subcommand(
      "report", "The table of all results as Markdown, with the papers' figures drawn again");
  report->add_option("ids", options->ids, "Only these, such as A1 B3")->type_name("RESULT");
  report
      ->add_option("-o,--output", options->folder,
                   "Folder for README.md, values.csv, and SVG and CSV of each figure")
      ->type_name("FOLDER");
  report->callback([options, &code] { code = report_rows(*options); });
}

}  // namespace ebb::cli
