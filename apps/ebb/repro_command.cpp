// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"
#include "data_folder.hpp"
#include "table.hpp"

#include "ebb/core/suggest.hpp"
#include "ebb/repro/experiment.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace ebb::cli {
namespace {

using repro::Outcome;
using repro::Row;
using repro::Tolerance;
using repro::Verdict;

struct Options {
  std::vector<std::string> ids;
  bool json = false;
};

bool has_experiment(const Row& row) {
  const auto all = repro::experiments();
  return std::any_of(all.begin(), all.end(), [&](const auto& e) { return e.id == row.id; });
}

std::string tolerance_text(const repro::Published& published) {
  switch (published.tolerance) {
    case Tolerance::exact:
      return "exact";
    case Tolerance::rounded:
      return "as printed";
    case Tolerance::band:
      return fmt::format("+-{:g}", published.band_width);
    case Tolerance::above:
      return "above";
    case Tolerance::below:
      return "below";
    case Tolerance::shown:
      return "see note";
  }
  return "";
}

std::string verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced:
      return "reproduced";
    case Verdict::differs:
      return "DIFFERS";
    case Verdict::shown:
      return "both shown";
    case Verdict::not_measured:
      return "NOT MEASURED";
  }
  return "";
}

bool failed(const Outcome& outcome) {
  return outcome.verdict == Verdict::differs || outcome.verdict == Verdict::not_measured;
}

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
  for (const Row& row : *rows)
    table.add({row.id, has_experiment(row) ? "runs" : "not yet", row.result, row.kind});
  fmt::print("{}", table.text());
  return ExitCode::done;
}

Result<std::vector<Row>> chosen_rows(const Options& options) {
  auto rows = repro::read_rows(data_folder() + "/repro");
  if (!rows) return rows;
  std::vector<std::string> names;
  for (const Row& row : *rows) names.push_back(row.id);
  std::vector<Row> chosen;
  Errors errors;
  for (const std::string& id : options.ids) {
    const auto found = std::find(names.begin(), names.end(), id);
    if (found == names.end()) errors.push_back({unknown_name("result", id, names), {}});
    if (found != names.end())
      chosen.push_back((*rows)[static_cast<std::size_t>(found - names.begin())]);
  }
  if (!errors.empty()) return fail(std::move(errors));
  return chosen;
}

ExitCode run_rows(const Options& options) {
  const auto rows = chosen_rows(options);
  if (!rows) return refuse(rows.error());
  const auto parts = load_parts({});
  if (!parts) return refuse(parts.error());
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  bool any_failed = false;
  for (const Row& row : *rows) {
    const auto outcomes = repro::run(row, *parts);
    if (!outcomes) return refuse(outcomes.error());
    any_failed = any_failed || std::any_of(outcomes->begin(), outcomes->end(), failed);
    if (options.json) all.push_back(row_json(row, *outcomes));
    if (!options.json) print_row(row, *outcomes);
  }
  if (options.json) fmt::print("{}\n", all.dump(2));
  return any_failed ? ExitCode::not_met : ExitCode::done;
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
  run->add_option("ids", options->ids, "Ids such as A1 B3")->required();
  run->add_flag("--json", options->json, "Machine-readable output");
  run->callback([options, &code] { code = run_rows(*options); });
}

}  // namespace ebb::cli
