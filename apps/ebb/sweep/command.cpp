// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"

#include "command_line/data_folder.hpp"
#include "command_line/interrupt.hpp"
#include "command_line/table.hpp"
#include "command_line/together.hpp"
#include "sweep/progress.hpp"
#include "sweep/summary.hpp"

#include "ebb/mpi/post.hpp"
#include "ebb/results/store.hpp"
#include "ebb/sweep/plan.hpp"
#include "ebb/sweep/rank_workers.hpp"
#include "ebb/sweep/workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace ebb::cli {
namespace {

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
std::size_t jobs_here(const Options& options, const mpi::Ranks& ranks) {
  if (options.jobs > 0) return options.jobs;
  return ranks.alone() ? std::max(1U, std::thread::hardware_concurrency()) : 1;
}

// The sweep on rank 0, which alone writes.
class Leader {
 public:
  Leader(const Options& options, const sweep::Plan& plan, results::Store store)
      : options_(options), plan_(plan), store_(std::move(store)) {}

  [[nodiscard]] Errors run(sweep::Workers& workers) {
    const auto missing = sweep::to_do(plan_, *store_, options_.again);
    if (!missing) return missing.error();
    SweepProgress progress(plan_.runs.size(), plan_.runs.size() - missing->size());
    notice_interrupts();
    sweep::hand_out(
        *missing, workers, [&](const sweep::Finished& one) { return keep(one, progress); },
        [&](std::size_t running) { return look(running, progress); });
    progress.clear();
    return errors_;
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
  bool keep(const sweep::Finished& one, SweepProgress& progress) {
    const auto kept = store_->put(one.record, one.wall_seconds);
    if (!kept) {
      errors_ = kept.error();
      return false;
    }
    progress.finished(one.record.run.status == results::Status::done);
    return true;
  }

  // An interrupted sweep does not wait for the runs under way: they will be done again.
  bool look(std::size_t running, SweepProgress& progress) {
    if (interrupted()) {
      progress.clear();
      store_.reset();
      fmt::print(stderr, "interrupted: {} of {} runs are in {}; the same command does the rest\n",
                 progress.kept(), plan_.runs.size(), options_.results_file());
      end_interrupted();
    }
    progress.show(running);
    return true;
  }

  const Options& options_;
  const sweep::Plan& plan_;
  std::optional<results::Store> store_;
  Errors errors_;
};

ExitCode lead(const Options& options, const Loaded& loaded, results::Store store, mpi::Ranks& ranks,
              mpi::Post& post) {
  Leader leader(options, loaded.plan, std::move(store));
  {
    std::vector<std::unique_ptr<sweep::Workers>> groups;
    groups.push_back(sweep::thread_workers(jobs_here(options, ranks), [&](std::size_t which) {
      return sweep::perform(loaded.plan, which, loaded.library);
    }));
    if (!ranks.alone()) groups.push_back(sweep::rank_workers(ranks, post));
    const auto workers =
        ranks.alone() ? std::move(groups.front()) : sweep::all_of(std::move(groups));
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
ExitCode begin(const Options& options, const Result<Loaded>& loaded, mpi::Ranks& ranks) {
  if (const auto code = told(ranks, loaded ? Obstacle() : bad_input(loaded.error()))) return *code;
  if (const auto code = told(ranks, differences(ranks, "the sweep", keys_text(loaded->plan))))
    return *code;
  if (options.dry_run) return ranks.first() ? print_plan(loaded->plan) : ExitCode::done;
  std::optional<results::Store> store;
  Obstacle obstacle;
  if (ranks.first()) {
    auto opened = results::Store::open_to_write(options.results_file());
    if (opened) store = std::move(*opened);
    if (!opened) obstacle = {ExitCode::outside, to_string(opened.error())};
  }
  if (const auto code = told(ranks, obstacle)) return *code;
  const auto post = mpi::open_post(ranks);
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
  command->add_option("file", options->file, "Sweep file (docs/sweep.md)")->required();
  command->add_option("--results", options->results,
                      "Results file; without it the name of the sweep file with .db");
  command->add_option("--jobs", options->jobs, "Runs at the same time; without it one per core")
      ->check(CLI::Range(1, 1024));
  command->add_option("--parts", options->part_files, "Further part files")
      ->allow_extra_args(false);
  command->add_flag("--retry", options->again, "Do runs again that failed");
  command->add_flag("--dry-run", options->dry_run, "Check everything, print the runs, do none");
  command->callback([options, &code] {
    code = together([&](mpi::Ranks& ranks) { return begin(*options, load(*options), ranks); });
  });
}

}  // namespace ebb::cli
