// SPDX-License-Identifier: Apache-2.0
#include "validate/run.hpp"

#include "command_line/table.hpp"

#include "ebb/validate/check.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace ebb::cli {
namespace {

using validate::Check;
using validate::Row;
using validate::Verdict;

struct RunOptions {
  std::vector<std::string> names;
  bool json = false;
};

bool failed(const Row& row) { return row.verdict == Verdict::fails; }

std::string verdict_text(const Row& row) { return failed(row) ? "FAILS" : "holds"; }

std::string number_text(double number) {
  const bool whole = number == std::floor(number) && std::abs(number) < 1e15;
  return whole ? with_separators(static_cast<std::int64_t>(number)) : fmt::format("{:.5g}", number);
}

void print_check(const Check& check, const std::vector<Row>& rows) {
  fmt::print("{}: {}\n{}\n", check.name, check.summary, wrapped(check.source, 100, "    "));
  Table table({{"case"},
               {"expected", Table::Align::right},
               {"measured", Table::Align::right},
               {"unit"},
               {"tolerance"},
               {"verdict"}});
  for (const Row& row : rows) {
    table.add({row.name, number_text(row.expected), number_text(row.measured), row.unit,
               row.tolerance, verdict_text(row)});
  }
  fmt::print("{}", table.text());
  for (const Row& row : rows) {
    if (!row.note.empty()) fmt::print("{}", wrapped(row.name + ": " + row.note, 100, "    "));
  }
  fmt::print("\n");
  std::fflush(stdout);  // a check takes seconds: show each when it is done
}

nlohmann::ordered_json check_json(const Check& check, const std::vector<Row>& rows) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    list.push_back({{"case", row.name},
                    {"expected", row.expected},
                    {"measured", row.measured},
                    {"unit", row.unit},
                    {"tolerance", row.tolerance},
                    {"verdict", verdict_text(row)},
                    {"note", row.note}});
  }
  return {
      {"name", check.name}, {"summary", check.summary}, {"source", check.source}, {"rows", list}};
}

ExitCode list_checks() {
  Table table({{"check"}, {"what"}, {"compared with"}});
  for (const Check& check : validate::checks()) {
    table.add({check.name, check.summary, check.source});
  }
  fmt::print("{}", table.text());
  return ExitCode::done;
}

Result<std::vector<const Check*>> chosen_checks(const RunOptions& options) {
  std::vector<const Check*> chosen;
  if (options.names.empty()) {
    for (const Check& check : validate::checks()) chosen.push_back(&check);
    return chosen;
  }
  Errors errors;
  for (const std::string& name : options.names) {
    const auto found = validate::find_check(name);
    if (found) chosen.push_back(*found);
    if (!found) errors.insert(errors.end(), found.error().begin(), found.error().end());
  }
  if (!errors.empty()) return fail(std::move(errors));
  return chosen;
}

ExitCode run_checks(const RunOptions& options) {
  const auto chosen = chosen_checks(options);
  if (!chosen) return refuse(chosen.error());
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  bool any_failed = false;
  for (const Check* check : *chosen) {
    const std::vector<Row> rows = check->run();
    any_failed = any_failed || std::any_of(rows.begin(), rows.end(), failed);
    if (options.json) all.push_back(check_json(*check, rows));
    if (!options.json) print_check(*check, rows);
  }
  if (options.json) fmt::print("{}\n", all.dump(2));
  return any_failed ? ExitCode::not_met : ExitCode::done;
}

}  // namespace

void add_validate_checks(CLI::App& validate, ExitCode& code) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* list = validate.add_subcommand("list", "The checks of the packet simulator");
  list->callback([&code] { code = list_checks(); });
  CLI::App* run = validate.add_subcommand(
      "run", "Run checks of the packet simulator and print expected, measured, verdict");
  run->add_option("names", options->names, "Names from `ebb validate list`; without any, all");
  run->add_flag("--json", options->json, "Machine-readable output");
  run->callback([options, &code] { code = run_checks(*options); });
}

}  // namespace ebb::cli
