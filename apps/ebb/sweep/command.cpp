// SPDX-License-Identifier: Apache-2.0
//
// `ebb sweep`: many simulations on the cores of this machine or on MPI ranks, kept in a results
// file.
#include "command_line/command.hpp"

#include "command_line/inputs.hpp"
#include "command_line/progress.hpp"
#include "command_line/ranks.hpp"
#include "command_line/text.hpp"

#include "ebb/mpi/communicator.hpp"
#include "ebb/results/labels.hpp"
#include "ebb/results/statistics.hpp"
#include "ebb/results/store.hpp"
#include "ebb/sweep/claims.hpp"
#include "ebb/sweep/plan.hpp"
#include "ebb/sweep/session.hpp"
#include "ebb/sweep/workers.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ebb::cli {
namespace {

// How far a sweep is, on the status line.
class SweepProgress {
 public:
  void show(const sweep::Progress& progress);
  void clear() const { line_.clear(); }

 private:
  StatusLine line_;
};

void SweepProgress::show(const sweep::Progress& progress) {
  if (!line_.due()) return;
  const std::size_t here = progress.found + progress.done + progress.failed;
  const double rate = static_cast<double>(here) / std::max(line_.seconds(), 1e-6);
  std::string text = fmt::format(
      "{} of {} runs done ({} %), {} running", progress.kept(), progress.runs,
      100 * progress.kept() / std::max<std::size_t>(progress.runs, 1), progress.running);
  if (progress.failed > 0) text += fmt::format(", {} failed", progress.failed);
  if (progress.found > 0) text += fmt::format(", {} by another sweep", progress.found);
  if (here > 0) {
    const auto left = static_cast<double>(progress.runs - progress.kept());
    text += rate >= 1 ? fmt::format("; {:.1f} runs/s", rate)
                      : fmt::format("; {} per run", wall_text(1 / rate));
    text += fmt::format(", {} left", wall_text(left / rate));
  }
  line_.write(std::move(text));
}

using results::Estimate;
using results::Run;
using results::SetupEstimates;

// "40.21 +- 0.30", with the half width where there is one.
std::string interval(const Estimate& estimate, double scale) {
  std::string text = fmt::format("{:.2f}", estimate.mean * scale);
  if (estimate.half_width) text += fmt::format(" ± {:.2f}", *estimate.half_width * scale);
  return text;
}

std::string percent(const std::optional<Estimate>& value) {
  return value ? interval(*value, 100) + " %" : "";
}

// Of picoseconds, in the unit that suits the mean.
std::string time(const std::optional<Estimate>& value) {
  if (!value) return "";
  constexpr std::array<std::pair<double, const char*>, 4> kUnits = {
      {{1e12, "s"}, {1e9, "ms"}, {1e6, "us"}, {1e3, "ns"}}};
  for (const auto& [size, unit] : kUnits) {
    if (value->mean >= size) return interval(*value, 1 / size) + " " + unit;
  }
  return interval(*value, 1) + " ps";
}

// The latency of a saturated network depends on how long was measured, and so does everything in a
// run that its messages outlast.
std::string count_text(const SetupEstimates& setup) {
  std::string remarks;
  const auto add = [&remarks](std::size_t runs, const char* what) {
    if (runs > 0) remarks += fmt::format("{}{} {}", remarks.empty() ? "" : ", ", runs, what);
  };
  add(setup.saturated, "saturated");
  add(setup.too_short, "too short");
  const std::size_t runs = setup.group.runs.size();
  return remarks.empty() ? std::to_string(runs) : fmt::format("{} ({})", runs, remarks);
}

std::string group_table(const std::vector<Run>& runs) {
  const results::RunLabels labels(runs);
  const std::vector<std::string>& keys = labels.varied();
  std::vector<Table::Column> columns;
  for (const std::string& title : results::varied_titles(keys)) columns.push_back({title});
  for (const char* title : {"runs", "accepted load", "power", "packet latency", "p99"})
    columns.push_back({title, Table::Align::right});
  Table table(std::move(columns));
  for (const SetupEstimates& setup : results::setup_estimates(runs)) {
    std::vector<std::string> cells;
    cells.reserve(keys.size() + 5);
    for (const std::string& key : keys) cells.push_back(labels.value(setup.group.first(), key));
    cells.push_back(count_text(setup));
    cells.push_back(percent(setup.accepted_load));
    cells.push_back(percent(setup.relative_power));
    cells.push_back(time(setup.packet_latency));
    cells.push_back(time(setup.packet_latency_p99));
    table.add(std::move(cells));
  }
  return table.text();
}

std::string failures(const std::vector<Run>& runs) {
  std::string text;
  for (const Run& run : runs) {
    if (run.status != results::Status::failed) continue;
    text += fmt::format("failed: {}, seed {}", run.short_key(), run.seed);
    for (const auto& [key, value] : run.parameters) text += fmt::format(", {}={}", key, value);
    text += ": " + run.error.substr(0, run.error.find('\n')) + "\n";
  }
  return text.empty() ? "" : "\n" + text;
}

// What a sweep found: a line per setup with means and confidence intervals over its seeds, then the
// runs that failed.
std::string sweep_summary(const std::vector<Run>& runs) {
  std::string text = group_table(runs);
  text += "\n± is the half width of the 95 % confidence interval over the seeds\n";
  return text + failures(runs);
}

struct Options {
  std::string file;
  std::string results;
  std::vector<std::string> part_files;
  std::size_t jobs = 0;  // 0: as many as there are cores
  bool again = false;
  bool dry_run = false;

  [[nodiscard]] std::string results_file() const {
    return results.empty() ? std::filesystem::path(file).stem().string() + ".db" : results;
  }
};

struct Loaded {
  power::Library library;
  sweep::Plan plan;
};

Result<Loaded> load(const Options& options) {
  auto library = load_parts(options.part_files);
  if (!library) return fail(library.error());
  const auto spec = config::read_sweep(options.file);
  if (!spec) return fail(spec.error());
  auto plan = sweep::plan(*spec, *library);
  if (!plan) return fail(plan.error());
  return Loaded{std::move(*library), std::move(*plan)};
}

// One rank of several works on one run at a time: whoever starts them starts one for each core.
std::size_t jobs_here(const Options& options, const mpi::Communicator& ranks) {
  if (options.jobs > 0) return options.jobs;
  return ranks.is_serial() ? std::max(1U, std::thread::hardware_concurrency()) : 1;
}

// The sweep on rank 0, which alone writes.
class Leader {
 public:
  Leader(const Options& options, const sweep::Plan& plan, results::Store store)
      : options_(options), plan_(plan), store_(std::move(store)) {
    claims_.emplace(options.results_file());
  }

  [[nodiscard]] Errors run(sweep::Workers& workers) {
    notice_interrupts();
    Errors errors = sweep::perform_missing(
        {plan_, *store_, *claims_, options_.again}, workers,
        {.tick = [&](const sweep::Progress& progress) { return look(progress); },
         .on_sharing = [&] { tell_of_sharing(); }});
    line_.clear();
    return errors;
  }

  [[nodiscard]] ExitCode summary() const {
    auto runs = store_->runs();
    if (!runs) return failed_outside(runs.error());
    std::set<std::string_view> planned;
    for (const sweep::PlannedRun& one : plan_.runs) planned.insert(one.run.key);
    runs->erase(std::remove_if(runs->begin(), runs->end(),
                               [&](const auto& run) { return planned.count(run.key) == 0; }),
                runs->end());
    fmt::print("{}", sweep_summary(*runs));
    const bool well = std::all_of(runs->begin(), runs->end(), [](const results::Run& run) {
      return run.status == results::Status::done;
    });
    return well ? ExitCode::done : ExitCode::not_met;
  }

 private:
  void tell_of_sharing() const {
    line_.clear();
    fmt::print(stderr, "{}: another sweep writes to it too; the two share the runs\n",
               options_.results_file());
  }

  // An interrupted sweep does not wait for the runs under way: they will be done again.
  bool look(const sweep::Progress& progress) {
    if (interrupted()) {
      line_.clear();
      store_.reset();
      claims_.reset();
      fmt::print(stderr, "interrupted: {} of {} runs are in {}; the same command does the rest\n",
                 progress.kept(), progress.runs, options_.results_file());
      end_interrupted();
    }
    line_.show(progress);
    return true;
  }

  const Options& options_;
  const sweep::Plan& plan_;
  std::optional<results::Store> store_;
  std::optional<sweep::Claims> claims_;
  SweepProgress line_;
};

ExitCode lead(const Options& options, const Loaded& loaded, results::Store store,
              mpi::Communicator& ranks, mpi::PointToPoint& post) {
  Leader leader(options, loaded.plan, std::move(store));
  {
    std::vector<std::unique_ptr<sweep::Workers>> groups;
    groups.push_back(sweep::thread_workers(jobs_here(options, ranks), [&](std::size_t which) {
      return sweep::perform(loaded.plan, which, loaded.library);
    }));
    if (!ranks.is_serial()) groups.push_back(sweep::rank_workers(ranks, post));
    const auto workers =
        ranks.is_serial() ? std::move(groups.front()) : sweep::all_of(std::move(groups));
    if (const Errors errors = leader.run(*workers); !errors.empty()) return failed_outside(errors);
  }
  return leader.summary();
}

ExitCode print_plan(const sweep::Plan& plan) {
  Table table({{"key"}, {"seed", Table::Align::right}, {"set"}});
  for (const sweep::PlannedRun& planned : plan.runs) {
    std::string set;
    for (const auto& [key, value] : planned.run.parameters)
      set += fmt::format("{}={} ", key, value);
    table.add({planned.run.key.substr(0, 8), std::to_string(planned.run.seed), set});
  }
  fmt::print("{}{} runs", table.text(), plan.runs.size());
  if (plan.repeated > 0) fmt::print("; {} more are the same as one of them", plan.repeated);
  fmt::print("\n");
  return ExitCode::done;
}

std::string keys_text(const sweep::Plan& plan) {
  std::string text;
  for (const sweep::PlannedRun& planned : plan.runs) text += planned.run.key + "\n";
  return text;
}

// Once every rank has the plan, and the same.
ExitCode begin(const Options& options, const Result<Loaded>& loaded, mpi::Communicator& ranks) {
  if (const auto code =
          report_start_error(ranks, loaded ? StartError() : bad_input(loaded.error())))
    return *code;
  if (const auto code = report_start_error(
          ranks, difference_between_ranks(ranks, "the sweep", keys_text(loaded->plan))))
    return *code;
  if (options.dry_run) return ranks.first() ? print_plan(loaded->plan) : ExitCode::done;
  std::optional<results::Store> store;
  StartError error;
  if (ranks.first()) {
    auto opened = results::Store::open_to_write(options.results_file());
    if (opened) store = std::move(*opened);
    if (!opened) error = {ExitCode::outside, error_text(opened.error())};
  }
  if (const auto code = report_start_error(ranks, error)) return *code;
  const auto post = mpi::point_to_point(ranks);
  if (ranks.first()) return lead(options, *loaded, std::move(*store), ranks, *post);
  sweep::serve(*post, [&](std::size_t which) {
    return sweep::perform(loaded->plan, which, loaded->library);
  });
  return ExitCode::done;
}

}  // namespace

void add_sweep_command(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("sweep", "Many simulations, continued where they were stopped");
  command->add_option("file", options->file, "Sweep file (docs/sweep.md)")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--results", options->results,
                   "Results file; without it the name of the sweep file with .db")
      ->type_name("FILE");
  command->add_option("--jobs", options->jobs, "Runs at the same time; without it one per core")
      ->check(CLI::Range(1, 1024));
  command->add_option("--parts", options->part_files, "Further part files")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command->add_flag("--retry", options->again, "Do runs again that failed");
  command->add_flag("--dry-run", options->dry_run, "Check everything, print the runs, do none");
  command->callback([options, &code] {
    code = run_on_ranks(
        [&](mpi::Communicator& ranks) { return begin(*options, load(*options), ranks); });
  });
}

}  // namespace ebb::cli
