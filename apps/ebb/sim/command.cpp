// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"

#include "command_line/inputs.hpp"
#include "command_line/live_half.hpp"
#include "command_line/progress.hpp"
#include "command_line/ranks.hpp"
#include "sim/day_output.hpp"
#include "sim/output.hpp"

#include "ebb/config/simulation.hpp"
#include "ebb/day/day.hpp"
#include "ebb/policy/transcript.hpp"
#include "ebb/results/record.hpp"
#include "ebb/results/run.hpp"
#include "ebb/results/store.hpp"
#include "ebb/timeline/timeline.hpp"
#include "ebb/units/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ebb::cli {
namespace {

struct Options {
  std::string file;
  std::vector<std::string> settings;
  std::vector<std::string> part_files;
  std::string transcript;
  std::string timeline;
  std::uint64_t timeline_events = timeline::Settings().most_events;
  std::string results;
  std::uint32_t threads = 1;
  bool print_resolved = false;
  bool json = false;
};

// Opened before the run, so that nobody waits for a result that cannot be kept.
class ResultsFile {
 public:
  [[nodiscard]] StartError open(const std::string& path) {
    auto opened = results::Store::open_to_write(path);
    if (!opened) return {ExitCode::outside, to_string(opened.error())};
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

// What a rank needs to begin. Only rank 0 writes.
struct Ready {
  config::Simulation simulation;
  std::ofstream transcript;
  std::unique_ptr<timeline::Timeline> timeline;  // when asked for
  ResultsFile results;
};

netsim::Report run_with_progress(const Options& options, const Ready& ready, policy::Policy& policy,
                                 mpi::Communicator& ranks) {
  const config::Simulation& simulation = ready.simulation;
  ProgressLine line(simulation.spec.schedule);
  netsim::OnProgress show;
  if (ranks.first() && line.shown()) {
    show = [&](const netsim::Progress& progress) { line.show(progress); };
  }
  netsim::Experiment experiment = simulation.experiment(policy, ranks);
  experiment.threads = options.threads;
  experiment.timeline = ready.timeline.get();
  netsim::Report report = config::run(simulation, experiment, show);
  if (ranks.first()) line.finish(report);
  return report;
}

netsim::Report run_recorded(const Options& options, Ready& ready, mpi::Communicator& ranks) {
  const policy::Made& made = ready.simulation.policy;
  policy::Recorder recorder({made.name, made.parameters, made.policy->sample_period()},
                            *made.policy, [&](std::string_view text) { ready.transcript << text; });
  return run_with_progress(options, ready, recorder, ranks);
}

std::string cannot_write(const std::string& path) {
  return fmt::format("{}: error: cannot be written\n", path);
}

// False when it cannot be written. Says where a timeline ends that has become full.
bool finish_timeline(const Options& options, timeline::Timeline& timeline) {
  if (!timeline.finish()) return false;
  if (const auto at = timeline.cut_at()) {
    fmt::print(stderr,
               "{}: the timeline ends at {} of simulated time: it may have {} events "
               "(--timeline-events)\n",
               options.timeline, to_text(at->time_since_epoch()), timeline.settings().most_events);
  }
  return true;
}

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
  fmt::print("{}", options.json ? to_json(result) : sim_text(result));
  return exit_code(report);
}

ExitCode simulate(const Options& options, Ready& ready, mpi::Communicator& ranks) {
  const config::Simulation& simulation = ready.simulation;
  const bool recorded = ready.transcript.is_open();
  const netsim::Report report =
      recorded ? run_recorded(options, ready, ranks)
               : run_with_progress(options, ready, *simulation.policy.policy, ranks);
  if (recorded && !ready.transcript.flush()) {
    fmt::print(stderr, "{}", cannot_write(options.transcript));
    return ExitCode::outside;
  }
  if (ready.timeline && !finish_timeline(options, *ready.timeline)) {
    fmt::print(stderr, "{}", cannot_write(options.timeline));
    return ExitCode::outside;
  }
  return ranks.first() ? print(options, simulation, report, ready.results) : exit_code(report);
}

StartError check_ranks(const config::Simulation& simulation, const mpi::Communicator& ranks) {
  if (simulation.make_control && ranks.count() > 1) {
    return {ExitCode::bad_input,
            "error: a fabric is simulated on one rank: it has one controller\n"};
  }
  if (simulation.spec.fidelity == netsim::Fidelity::flow && ranks.count() > 1) {
    return {
        ExitCode::bad_input,
        "error: 'fidelity: flow' runs in one process: rates of all flows depend on each other\n"};
  }
  const std::uint32_t switches = simulation.graph->switch_count();
  if (ranks.count() <= switches) return {};
  return {ExitCode::bad_input,
          fmt::format("error: {} ranks for a network of {} switches: at most one each\n",
                      ranks.count(), switches)};
}

StartError open_transcript(const Options& options, const mpi::Communicator& ranks, Ready& ready) {
  if (options.transcript.empty() || !ranks.first()) return {};
  ready.transcript.open(options.transcript, std::ios::binary);
  if (ready.transcript) return {};
  return {ExitCode::outside, cannot_write(options.transcript)};
}

StartError open_timeline(const Options& options, const mpi::Communicator& ranks, Ready& ready) {
  if (options.timeline.empty()) return {};
  if (const auto form = timeline::form_of(options.timeline); !form) return bad_input(form.error());
  if (ranks.count() > 1)
    return {ExitCode::bad_input, "error: a timeline is written by one process: use --threads\n"};
  if (!ready.simulation.switch_groups.empty()) {
    return {ExitCode::bad_input,
            "error: a timeline has no switches that sleep: leave out 'parts.switch_sleep'\n"};
  }
  auto opened = timeline::open_timeline(options.timeline, {.most_events = options.timeline_events});
  if (!opened) return {ExitCode::outside, to_string(opened.error())};
  ready.timeline = std::move(*opened);
  return {};
}

StartError open_results(const Options& options, const mpi::Communicator& ranks, Ready& ready) {
  if (options.results.empty() || !ranks.first()) return {};
  return ready.results.open(options.results);
}

// Once every rank has its simulation, and the same.
ExitCode begin(const Options& options, Result<config::Simulation> simulation,
               mpi::Communicator& ranks) {
  if (const auto code =
          report_start_error(ranks, simulation ? StartError() : bad_input(simulation.error()))) {
    return *code;
  }
  const std::string resolved = config::resolved_text(simulation->spec);
  if (const auto code =
          report_start_error(ranks, difference_between_ranks(ranks, "the simulation", resolved)))
    return *code;
  if (const auto code = report_start_error(ranks, check_ranks(*simulation, ranks))) return *code;
  if (ranks.first()) {
    for (const std::string& repair : simulation->repairs) fmt::print(stderr, "{}\n", repair);
  }
  Ready ready{std::move(*simulation), {}, {}, {}};
  if (const auto code = report_start_error(ranks, open_transcript(options, ranks, ready)))
    return *code;
  if (const auto code = report_start_error(ranks, open_timeline(options, ranks, ready)))
    return *code;
  if (const auto code = report_start_error(ranks, open_results(options, ranks, ready)))
    return *code;
  return simulate(options, ready, ranks);
}

// What stands in the file, and the parts that it may name.
struct Input {
  power::Library parts;
  config::SimFile file;

  [[nodiscard]] bool has_day() const { return file.spec.day.given(); }
};

Result<Input> read_input(const Options& options) {
  auto parts = load_parts(options.part_files);
  if (!parts) return fail(parts.error());
  auto file = config::read_sim(options.file, *parts, options.settings);
  if (!file) return fail(file.error());
  return Input{std::move(*parts), std::move(*file)};
}

Result<config::Simulation> prepare(const Result<Input>& input) {
  if (!input) return fail(input.error());
  return config::prepare(input->file, input->parts, fabric_control(input->parts));
}

// What is of one run, and a day has many.
StartError check_day(const Options& options, const mpi::Communicator& ranks) {
  std::string text;
  for (const auto& [option, file] :
       {std::pair("--transcript", &options.transcript), std::pair("--timeline", &options.timeline),
        std::pair("--results", &options.results)}) {
    if (file->empty()) continue;
    text +=
        fmt::format("error: {} is of one run, and a day has one for each of its steps\n", option);
  }
  if (ranks.count() > 1) text += "error: a day is run by one process: use --threads\n";
  return {text.empty() ? ExitCode::done : ExitCode::bad_input, text};
}

ExitCode begin_day(const Options& options, const Input& input, mpi::Communicator& ranks) {
  if (const auto code = report_start_error(ranks, check_day(options, ranks))) return *code;
  return simulate_day(input.file, input.parts, options.threads, options.json);
}

Result<config::SimSpec> resolved_spec(const Options& options) {
  const auto input = read_input(options);
  if (input && input->has_day()) {
    auto day = day::prepare_day(input->file, input->parts);
    if (!day) return fail(day.error());
    return std::move(day->file.spec);
  }
  auto simulation = prepare(input);
  if (!simulation) return fail(simulation.error());
  return std::move(simulation->spec);
}

ExitCode print_resolved(const Options& options) {
  const auto spec = resolved_spec(options);
  if (!spec) return refuse(spec.error());
  fmt::print("{}", config::resolved_text(*spec));
  return ExitCode::done;
}

ExitCode sim(const Options& options) {
  if (options.print_resolved) return print_resolved(options);
  return run_on_ranks([&](mpi::Communicator& ranks) {
    const auto input = read_input(options);
    if (input && input->has_day()) return begin_day(options, *input, ranks);
    return begin(options, prepare(input), ranks);
  });
}

}  // namespace

void add_sim_command(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "sim", "What a link-power policy saves on this traffic, and what it costs");
  command->add_option("file", options->file, "Simulation file or fabric file (docs/sim.md)")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--set", options->settings,
                   "Replace or add a value of the file, as policy.target=75%")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--parts", options->part_files, "Further part files")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command
      ->add_option("--threads", options->threads,
                   "Spread the switches over threads, or the steps of a day; changes nothing but "
                   "the time it takes")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--print-resolved", options->print_resolved,
                    "Print the whole file with every default, and run nothing");
  command->add_flag("--json", options->json, "Machine-readable output");
  command
      ->add_option("--results", options->results,
                   "Keep the run in this results file (docs/results.md)")
      ->type_name("FILE");
  command
      ->add_option("--transcript", options->transcript,
                   "Write what the policy saw and said, as JSON Lines")
      ->type_name("FILE");
  command
      ->add_option("--timeline", options->timeline,
                   "Write what happens when, for trace viewers: .pftrace or .json")
      ->type_name("FILE");
  command
      ->add_option("--timeline-events", options->timeline_events,
                   "The most events that a timeline has; it ends there")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command->callback([options, &code] { code = sim(*options); });
}

}  // namespace ebb::cli
