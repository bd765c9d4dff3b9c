// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"

#include "results/export.hpp"
#include "results/text.hpp"

#include "ebb/results/store.hpp"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>

namespace ebb::cli {
namespace {

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
  verb->add_option("file", options->file, "Results file (docs/results.md)")->required();
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
  exported->add_option("--csv", options->csv_folder, "Tables as CSV files in this folder");
  CLI::App* two = add_verb(*parent, "diff", "Where two runs differ", options, code, diff);
  two->add_option("run", options->run, kRun)->required();
  two->add_option("other", options->other, "Likewise")->required();
}

}  // namespace ebb::cli
