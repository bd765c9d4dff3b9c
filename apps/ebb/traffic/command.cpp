// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"

#include "traffic/output.hpp"

#include <fmt/format.h>

#include <memory>

namespace ebb::cli {
namespace {

ExitCode show(const TrafficOptions& options) {
  const auto subject = load_subject(options);
  if (!subject) return refuse(subject.error());
  const auto seen = traffic::measure_burstiness(*subject->workload, subject->host_rate,
                                                subject->seed, subject->until);
  if (!seen) return refuse(seen.error());
  fmt::print("{}", options.json ? traffic_json(*subject, *seen) : traffic_text(*subject, *seen));
  return ExitCode::done;
}

}  // namespace

void add_traffic_command(CLI::App& app, ExitCode& code) {
  CLI::App* traffic = app.add_subcommand("traffic", "Workloads: how bursty they are");
  traffic->require_subcommand(1);
  const auto options = std::make_shared<TrafficOptions>();
  CLI::App* verb =
      traffic->add_subcommand("show", "Load, sizes and burstiness, without simulating a network");
  verb->add_option("workload", options->what,
                   "A simulation file, or a workload or injection of `ebb list` with key=value ...")
      ->required();
  verb->add_option("--hosts", options->hosts, "Number of hosts, of a NAME (1024)");
  verb->add_option("--rate", options->rate, "Rate of the host links, of a NAME (40Gb/s)");
  verb->add_option("--seed", options->seed, "Of everything random, of a NAME (1)");
  verb->add_option("--time", options->time, "How long to look, 2ms to 10s")->capture_default_str();
  verb->add_option("--set", options->settings, "Replace or add a value of the file")
      ->allow_extra_args(false);
  verb->add_option("--parts", options->part_files, "Further part files")->allow_extra_args(false);
  verb->add_flag("--json", options->json, "Machine-readable output");
  verb->callback([options, &code] { code = show(*options); });
}

}  // namespace ebb::cli
