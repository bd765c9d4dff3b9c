// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"
#include "command_line/completions.hpp"
#include "command_line/help.hpp"

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
void tell_new_names(const CLI::App& app, const std::vector<std::string>& words) {
  std::vector<std::string> names;
  add_names(app, names);
  for (std::string_view word : words) {
    word = word.substr(0, word.find('='));
    word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
    if (const auto now = renamed_name(word, names)) {
      fmt::print(stderr, "'{}' is now called '{}'\n", word, *now);
    }
  }
}

// `ebb help sim` is `ebb sim --help`.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() > 1 && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  return words;
}

void add_verbs(CLI::App& app, ExitCode& code) {
  add_plan_command(app, code);
  add_sim_command(app, code);
  add_traffic_command(app, code);
  add_trace_command(app, code);
  add_breakeven_command(app, code);
  add_sweep_command(app, code);
  add_results_command(app, code);
  add_report_command(app, code);
  add_topo_command(app, code);
  add_rules_command(app, code);
  add_fabric_command(app, code);
  add_replay_command(app, code);
  add_validate_command(app, code);
  add_parts_command(app, code);
  add_plot_command(app, code);
  add_repro_command(app, code);
  add_list_command(app, code);
}

int run(int argc, char** argv) {
  CLI::App app("ebb: makes the power of a datacenter or HPC network follow its traffic", "ebb");
  app.set_version_flag("--version", "ebb " EBB_VERSION);
  app.require_subcommand(1);
  ExitCode code = ExitCode::done;
  add_verbs(app, code);
  set_help(app);
  const std::vector<std::string> words = words_of(argc, argv);
  if (words.empty() || words == std::vector<std::string>{"help"}) {
    fmt::print("{}", overview(app));
    return static_cast<int>(ExitCode::done);
  }
  if (words.size() == 2 && words[0] == "--manual-pages")
    return shell::write_manual_pages(shell::manual_pages(app, manual_notes(EBB_VERSION)), words[1]);
  if (words[0] == "--complete") {
    const std::vector<std::string> line(words.begin() + 1, words.end());
    fmt::print("{}", shell::to_lines(shell::complete(app, line, value_completions)));
    return static_cast<int>(ExitCode::done);
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // it takes the last first
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() == 0) return app.exit(problem);  // prints help or version
    const std::string mistakes = command_line_mistakes(app, words);
    fmt::print(stderr, "{}", mistakes);
    if (mistakes.empty()) (void)app.exit(problem);  // prints the mistake
    tell_new_names(app, words);
    return static_cast<int>(ExitCode::bad_input);
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
