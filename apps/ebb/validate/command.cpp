// SPDX-License-Identifier: Apache-2.0
//
// `ebb validate`: proofs that a network and the simulator work as they should: freedom from
// deadlock, replay of transcripts, and checks of the simulator against closed forms. peers.cpp has
// the comparison with another simulator, flows.cpp that of flows with packets.
#include "command_line/command.hpp"

#include "command_line/inputs.hpp"
#include "command_line/text.hpp"
#include "verbs.hpp"

#include "ebb/files/transcript_file.hpp"
#include "ebb/policy/transcript.hpp"
#include "ebb/routing/analysis.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/validate/check.hpp"

#include <CLI/CLI.hpp>
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

struct DeadlockOptions {
  NetworkOptions network;
  std::string routing;
  routing::DeadlockSearch search;
};

ExitCode prove(const DeadlockOptions& options) {
  const auto graph = load_network(options.network);
  if (!graph) return refuse(graph.error());
  const auto routing = routing::make_routing(options.routing, *graph);
  if (!routing) return refuse(routing.error());
  const auto report = routing::find_deadlock(*graph, **routing, options.search);
  if (!report) return refuse(report.error());
  if (report->cycle.empty()) {
    fmt::print("acyclic: {} channels x {} virtual channels, {} dependencies\n", report->channels,
               report->virtual_channels, report->dependencies);
    if (options.search.bubble) {
      fmt::print("{} more are between channels of one ring, which always has room for a packet\n",
                 report->within_rings);
    }
    return ExitCode::done;
  }
  fmt::print("cycle of {}: {}\n", report->cycle.size(), routing::cycle_text(*graph, report->cycle));
  return ExitCode::not_met;
}

ExitCode replay(const std::string& file) {
  const auto transcript = files::read_transcript(file);
  if (!transcript) return refuse(transcript.error());
  const auto report = policy::replay(*transcript);
  if (!report) return refuse(report.error());
  if (report->difference) {
    fmt::print("{}:{}: {}\n", file, report->difference->line, to_text(*report->difference));
    return ExitCode::not_met;
  }
  fmt::print("{}: {} samples, {} actions, the same byte for byte\n", transcript->header.policy,
             report->samples, report->actions);
  return ExitCode::done;
}

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

void add_validate_replay(CLI::App& validate, ExitCode& code) {
  const auto file = std::make_shared<std::string>();
  CLI::App* verb = validate.add_subcommand(
      "replay", "Whether a policy says again what a transcript of it has recorded");
  verb->add_option("transcript", *file, "Of ebb sim or ebb fabric run, --transcript")
      ->type_name("FILE")
      ->required();
  verb->callback([file, &code] { code = replay(*file); });
}

void add_validate_checks(CLI::App& validate, ExitCode& code) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* list = validate.add_subcommand("list", "The checks of the packet simulator");
  list->callback([&code] { code = list_checks(); });
  CLI::App* run = validate.add_subcommand(
      "run", "Run checks of the packet simulator and print expected, measured, verdict");
  run->add_option("names", options->names, "Names from `ebb validate list`; without any, all")
      ->type_name("CHECK");
  run->add_flag("--json", options->json, "Machine-readable output");
  run->callback([options, &code] { code = run_checks(*options); });
}

}  // namespace

void add_validate_command(CLI::App& app, ExitCode& code) {
  CLI::App* validate =
      app.add_subcommand("validate", "Prove that a network and the simulator work as they should");
  validate->require_subcommand(1);
  const auto options = std::make_shared<DeadlockOptions>();
  CLI::App* deadlock = validate->add_subcommand(
      "deadlock", "Whether packets of a routing can wait for each other in a circle");
  add_network_argument(*deadlock, options->network);
  deadlock->add_option("--routing", options->routing, "One of the routings of `ebb list`")
      ->type_name("ROUTING")
      ->required();
  deadlock
      ->add_option("--virtual-channels", options->search.virtual_channels,
                   "What if switches have only so many? Without it, as many as the routing needs")
      ->check(CLI::Range(1, 255));
  deadlock->add_flag("--bubble", options->search.bubble,
                     "With bubble flow control, on one virtual channel: for the rings of a torus");
  deadlock->callback([options, &code] { code = prove(*options); });
  add_validate_replay(*validate, code);
  add_validate_checks(*validate, code);
  add_validate_peers(*validate, code);
  add_validate_flows(*validate, code);
}

}  // namespace ebb::cli
