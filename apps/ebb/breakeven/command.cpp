// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"

#include "breakeven/output.hpp"

#include <fmt/format.h>

#include <memory>

namespace ebb::cli {
namespace {

ExitCode run(const BreakevenOptions& options) {
  const auto found = study(options);
  if (!found) return refuse(found.error());
  if (options.csv && found->channels.empty())
    return refuse({{"--csv has the curves of ladders: name one, or use --json", {}}});
  fmt::print("{}", options.json  ? breakeven_json(*found)
                   : options.csv ? breakeven_csv(*found)
                                 : breakeven_text(*found));
  return ExitCode::done;
}

}  // namespace

void add_breakeven_command(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<BreakevenOptions>();
  CLI::App* verb = app.add_subcommand(
      "breakeven", "The shortest idle gap worth sleeping, and what it saves of links and switches");
  verb->add_option("--part", options->parts,
                   "A ladder, chip or box of `ebb parts list`; all of them without");
  verb->add_option("--workload", options->workloads,
                   "A workload or injection of `ebb list` with key=value ..., and more of them; "
                   "uniform at 23 %, search and advert without");
  verb->add_option("--rate", options->rate, "Rate of the links; that of each part without");
  verb->add_option("--time", options->time,
                   "How long to look; without, as long as a link takes to carry 1GB, 200ms at "
                   "40Gb/s");
  verb->add_option("--hosts", options->hosts, "Number of hosts")->capture_default_str();
  verb->add_option("--seed", options->seed, "Of everything random")->capture_default_str();
  verb->add_option("--parts", options->part_files, "Further part files")->allow_extra_args(false);
  CLI::Option* json = verb->add_flag("--json", options->json, "Machine-readable output");
  verb->add_flag("--csv", options->csv, "The curves of the ladders as CSV")->excludes(json);
  verb->callback([options, &code] { code = run(*options); });
}

}  // namespace ebb::cli
