// SPDX-License-Identifier: Apache-2.0
#include "ebb/sweep/plan.hpp"

#include "ebb/config/simulation.hpp"
#include "ebb/core/process.hpp"
#include "ebb/files/document.hpp"
#include "ebb/results/record.hpp"
#include "ebb/results/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <set>
#include <tuple>
#include <utility>

namespace ebb::sweep {
namespace {

using config::Setting;
using config::Settings;

constexpr std::size_t kLargestFile = 1 << 20;
constexpr std::size_t kMostErrors = 100;

// `path` itself, or something below it.
bool within(std::string_view path, std::string_view top) {
  return path.substr(0, top.size()) == top &&
         (path.size() == top.size() || path[top.size()] == '.' || path[top.size()] == '[');
}

std::vector<std::string> texts(const Settings& settings) {
  std::vector<std::string> all;
  for (const Setting& setting : settings) all.push_back(setting.text());
  return all;
}

class Planner {
 public:
  Planner(const config::SweepSpec& spec, const power::Library& library)
      : spec_(spec), library_(library) {}

  Result<Plan> make() {
    const auto text = spec_.base_text ? Result<std::string>(*spec_.base_text)
                                      : files::read_file(spec_.base, kLargestFile);
    if (!text) return fail(spec_.base + ": " + text.error().front().message, spec_.base_place);
    plan_.base = spec_.base;
    plan_.base_text = *text;
    for (const Settings& varied : combinations(spec_)) {
      if (errors_.size() < kMostErrors) add(varied);
    }
    if (!errors_.empty()) return fail(std::move(errors_));
    return std::move(plan_);
  }

 private:
  // One combination, with each seed.
  void add(const Settings& varied) {
    Settings all = spec_.set;
    all.insert(all.end(), varied.begin(), varied.end());
    const std::vector<std::string> settings = texts(all);
    const auto file = config::read_sim_text(plan_.base_text, plan_.base, library_, settings);
    if (!file) return report(file.error(), all, varied);
    const auto simulation = config::prepare(*file, library_);
    if (!simulation) return report(simulation.error(), all, varied);
    add_seeds(*simulation, settings, results::parameters_of(texts(varied)));
  }

  void add_seeds(const config::Simulation& simulation, const std::vector<std::string>& settings,
                 const std::vector<results::Parameter>& parameters) {
    std::vector<std::uint64_t> seeds = spec_.seeds;
    if (seeds.empty()) seeds.push_back(simulation.spec.seed);
    const std::string setup = results::run_key(simulation, version()).setup;
    config::SimSpec sim = simulation.spec;
    for (const std::uint64_t seed : seeds) {
      std::string key = results::seeded_key(setup, seed);
      if (!keys_.insert(key).second) {
        ++plan_.repeated;
        continue;
      }
      sim.seed = seed;
      PlannedRun planned{settings,
                         {.key = std::move(key),
                          .setup = setup,
                          .label = spec_.name,
                          .configuration = config::resolved_text(sim),
                          .version = std::string(version()),
                          .seed = seed,
                          .parameters = parameters}};
      planned.settings.push_back(fmt::format("seed={}", seed));
      plan_.runs.push_back(std::move(planned));
    }
  }

  // A mistake that several combinations make is told once.
  void report(const Errors& errors, const Settings& all, const Settings& varied) {
    for (const Error& error : errors) {
      Error placed = error;
      const bool at_setting = error.where.file == "--set" && place(all, placed.where);
      const auto& where = placed.where;
      if (!told_.insert({error.message, where.file, where.line, where.column}).second) continue;
      if (!at_setting && !varied.empty()) placed.message += " (with " + described(varied) + ")";
      errors_.push_back(std::move(placed));
    }
  }

  // At the last setting that holds the path, else at the last one below it.
  static bool place(const Settings& all, Location& where) {
    const auto put = [&](auto matches) {
      const auto at = std::find_if(all.rbegin(), all.rend(), matches);
      if (at != all.rend()) where = at->where;
      return at != all.rend();
    };
    const std::string path = where.path;
    return put([&](const Setting& setting) { return within(path, setting.key); }) ||
           put([&](const Setting& setting) { return within(setting.key, path); });
  }

  static std::string described(const Settings& varied) {
    std::string text;
    for (const Setting& setting : varied) text += (text.empty() ? "" : ", ") + setting.text();
    return text;
  }

  const config::SweepSpec& spec_;
  const power::Library& library_;
  Plan plan_;
  Errors errors_;
  std::set<std::string> keys_;
  std::set<std::tuple<std::string, std::string, int, int>> told_;  // message and place
};

}  // namespace

Result<Plan> plan(const config::SweepSpec& spec, const power::Library& library) {
  return Planner(spec, library).make();
}

Result<std::vector<std::size_t>> to_do(const Plan& plan, const results::Store& store, bool again) {
  const auto known = store.keys();
  if (!known) return fail(known.error());
  std::set<std::string_view> present;
  for (const auto& [key, status] : *known) {
    if (!again || status == results::Status::done) present.insert(key);
  }
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < plan.runs.size(); ++i) {
    if (present.count(plan.runs[i].run.key) == 0) missing.push_back(i);
  }
  return missing;
}

namespace {

results::Record failed(const PlannedRun& planned, std::string error) {
  results::Record record{.run = planned.run};
  record.run.status = results::Status::failed;
  record.run.error = std::move(error);
  return record;
}

std::string without_line_end(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

results::Record simulate(const Plan& plan, const PlannedRun& planned,
                         const power::Library& library) {
  const auto file = config::read_sim_text(plan.base_text, plan.base, library, planned.settings);
  if (!file) return failed(planned, without_line_end(to_string(file.error())));
  const auto simulation = config::prepare(*file, library);
  if (!simulation) return failed(planned, without_line_end(to_string(simulation.error())));
  const netsim::Report report = config::run(*simulation, simulation->experiment());
  if (const Errors errors = report.ledger.check(); !errors.empty())
    return failed(planned, "the energy account does not balance: " + errors.front().message);
  results::Record record =
      results::record_of(*simulation, report, {planned.run.label, planned.run.parameters});
  if (record.run.key != planned.run.key)
    return failed(planned, "a graph file has changed since the sweep began");
  return record;
}

}  // namespace

Finished perform(const Plan& plan, std::size_t which, const power::Library& library) {
  const auto began = std::chrono::steady_clock::now();
  const PlannedRun& planned = plan.runs[which];
  Finished finished{which, {}, 0};
  try {
    finished.record = simulate(plan, planned, library);
  } catch (const std::exception& problem) {  // no memory, or a bug: the other runs go on
    finished.record = failed(planned, problem.what());
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
  finished.wall_seconds = wall.count();
  return finished;
}

}  // namespace ebb::sweep
