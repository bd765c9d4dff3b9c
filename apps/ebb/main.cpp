// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"

#include "ebb/core/names.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::cli {
namespace {

// A mistyped verb gets the nearest one instead of the parser's "a subcommand is required".
bool names_unknown_verb(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
  if (std::find(verbs.begin(), verbs.end(), argv[1]) != verbs.end()) return false;
  fmt::print(stderr, "error: {}\n", unknown_name("command", argv[1], verbs));
  return true;
}

// The names of a command's options and verbs, those of its verbs included, without dashes.
void add_names(const CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options()) {
    const auto& longs = option->get_lnames();
    names.insert(names.end(), longs.begin(), longs.end());
  }
  for (const CLI::App* verb : app.get_subcommands({})) {
    names.push_back(verb->get_name());
    add_names(*verb, names);
  }
}

// A word that an earlier version took is answered with the present one.
void tell_new_names(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> names;
  add_names(app, names);
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    word = word.substr(0, word.find('='));
    word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
    if (const auto now = renamed_name(word, names)) {
      fmt::print(stderr, "'{}' is now called '{}'\n", word, *now);
    }
  }
}

int run(int argc, char** argv) {
  CLI::App app("ebb: makes the power of a datacenter or HPC network follow its traffic");
  app.set_version_flag("--version", "ebb " EBB_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 requirement not met, 2 bad input, 3 outside world failed, 70 bug in "
      "ebb.");
  ExitCode code = ExitCode::done;
  add_plan_command(app, code);
  add_sim_command(app, code);
  add_traffic_command(app, code);
  add_breakeven_command(app, code);
  add_sweep_command(app, code);
  add_results_command(app, code);
  add_report_command(app, code);
  add_topo_command(app, code);
  add_rules_command(app, code);
  add_fabric_command(app, code);
  add_validate_command(app, code);
  add_parts_command(app, code);
  add_plot_command(app, code);
  add_repro_command(app, code);
  add_list_command(app, code);
  if (names_unknown_verb(app, argc, argv)) return static_cast<int>(ExitCode::bad_input);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    const int answer = app.exit(problem);  // prints help, version or the mistake
    if (answer != 0) tell_new_names(app, argc, argv);
    return answer == 0 ? 0 : static_cast<int>(ExitCode::bad_input);
  }
  return static_cast<int>(code);
}

}  // namespace
}  // namespace ebb::cli

int main(int argc, char** argv) {
  try {
    return ebb::cli::run(argc, argv);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "ebb: internal error: {}\nThis is a bug in ebb; please report it.\n",
               problem.what());
    return static_cast<int>(ebb::cli::ExitCode::internal_bug);
  }
}
