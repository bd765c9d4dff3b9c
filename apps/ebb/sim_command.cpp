// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"
#include "data_folder.hpp"
#include "progress.hpp"
#include "sim_output.hpp"

#include "ebb/config/simulation.hpp"
#include "ebb/policy/transcript.hpp"
#include "ebb/results/parameters.hpp"
#include "ebb/results/record.hpp"
#include "ebb/results/store.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ebb::cli {
namespace {

struct Options {
  std::string file;
  std::vector<std::string> settings;
  std::vector<std::string> part_files;
  std::string transcript;
  std::string results;
  std::uint32_t threads = 1;
  bool print_resolved = false;
  bool json = false;
};

netsim::Report run_with_progress(const Options& options, const config::Simulation& simulation,
                                 policy::Policy& policy) {
  ProgressLine line(simulation.spec.schedule);
  netsim::OnProgress show;
  if (line.shown()) show = [&](const netsim::Progress& progress) { line.show(progress); };
  netsim::Experiment experiment = simulation.experiment(policy);
  experiment.threads = options.threads;
  netsim::Report report = netsim::run(experiment, show);
  line.finish(report);
  return report;
}

netsim::Report run_recorded(const Options& options, const config::Simulation& simulation,
                            std::ostream& transcript) {
  const policy::Made& made = simulation.policy;
  policy::Recorder recorder({made.name, made.parameters, made.policy->sample_period()},
                            *made.policy, [&](std::string_view text) { transcript << text; });
  return run_with_progress(options, simulation, recorder);
}

ExitCode cannot_write(const std::string& path) {
  fmt::print(stderr, "{}: error: cannot be written\n", path);
  return ExitCode::outside;
}

// Opened before the run, so that nobody waits for a result that cannot be kept.
class ResultsFile {
 public:
  [[nodiscard]] Errors open(const std::string& path) {
    if (path.empty()) return {};
    auto opened = results::Store::open_to_write(path);
    if (!opened) return opened.error();
    store_ = std::move(*opened);
    return {};
  }
  [[nodiscard]] Errors keep(const Options& options, const config::Simulation& simulation,
                            const netsim::Report& report) {
    if (!store_) return {};
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began_;
    const results::Origin origin{std::filesystem::path(options.file).stem().string(),
                                 results::parameters_of(options.settings)};
    const auto kept = store_->put(results::record_of(simulation, report, origin), wall.count());
    return kept ? Errors{} : kept.error();
  }

 private:
  std::optional<results::Store> store_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

ExitCode print(const Options& options, const config::Simulation& simulation,
               const netsim::Report& report, ResultsFile& results) {
  if (const Errors errors = report.ledger.check(); !errors.empty()) {
    fmt::print(stderr, "{}ebb: the energy account does not balance; this is a bug in ebb\n",
               to_string(errors));
    return ExitCode::internal_bug;
  }
  if (const Errors errors = results.keep(options, simulation, report); !errors.empty())
    return failed_outside(errors);
  const results::Summary result(simulation, report);
  fmt::print("{}", options.json ? sim_json(result) : sim_text(result));
  return exit_code(report);
}

ExitCode simulate(const Options& options, const config::Simulation& simulation) {
  ResultsFile results;
  if (const Errors errors = results.open(options.results); !errors.empty())
    return failed_outside(errors);
  if (options.transcript.empty()) {
    return print(options, simulation,
                 run_with_progress(options, simulation, *simulation.policy.policy), results);
  }
  std::ofstream transcript(options.transcript, std::ios::binary);
  if (!transcript) return cannot_write(options.transcript);
  const netsim::Report report = run_recorded(options, simulation, transcript);
  if (!transcript.flush()) return cannot_write(options.transcript);
  return print(options, simulation, report, results);
}

ExitCode sim(const Options& options) {
  const auto parts = load_parts(options.part_files);
  if (!parts) return refuse(parts.error());
  const auto file = config::read_sim(options.file, *parts, options.settings);
  if (!file) return refuse(file.error());
  if (options.print_resolved) {
    fmt::print("{}", config::resolved_text(file->spec));
    return ExitCode::done;
  }
  const auto simulation = config::prepare(*file, *parts);
  if (!simulation) return refuse(simulation.error());
  return simulate(options, *simulation);
}

}  // namespace

void add_sim_command(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "sim", "What a link-power policy saves on this traffic, and what it costs");
  command->add_option("file", options->file, "Simulation file (docs/sim.md)")->required();
  command
      ->add_option("--set", options->settings,
                   "Replace or add a value of the file, as policy.target=75%")
      ->allow_extra_args(false);
  command->add_option("--parts", options->part_files, "Further part files")
      ->allow_extra_args(false);
  command
      ->add_option("--threads", options->threads,
                   "Spread the switches over threads; changes nothing but the time it takes")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--print-resolved", options->print_resolved,
                    "Print the whole file with every default, and run nothing");
  command->add_flag("--json", options->json, "Machine-readable output");
  command->add_option("--results", options->results,
                      "Keep the run in this results file (docs/results.md)");
  command->add_option("--transcript", options->transcript,
                      "Write what the policy saw and said, as JSON Lines");
  command->callback([options, &code] { code = sim(*options); });
}

}  // namespace ebb::cli
