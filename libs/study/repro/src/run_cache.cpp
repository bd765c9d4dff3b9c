// SPDX-License-Identifier: Apache-2.0
#include "ebb/repro/run_cache.hpp"

#include "ebb/config/simulation.hpp"
#include "ebb/netsim/experiment.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>

namespace ebb::repro {

// A summary refers to the other two.
struct RunCache::Done {
  explicit Done(config::Simulation prepared) : simulation(std::move(prepared)) {}

  void run() {
    report = netsim::run(simulation.experiment());
    summary.emplace(simulation, *report);
  }

  config::Simulation simulation;
  std::optional<netsim::Report> report;
  std::optional<results::Summary> summary;
};

namespace {

// Each thread takes the next that nobody has.
template <class Work>
void on_all_cores(const std::vector<Work*>& all) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t mine = next++; mine < all.size(); mine = next++) all[mine]->run();
  };
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < std::min(cores, all.size()); ++i) others.emplace_back(work);
  work();
}

}  // namespace

RunCache::RunCache(const power::Library& parts, LiveMeasures live)
    : parts_(parts), live_(std::move(live)) {}
RunCache::~RunCache() = default;

Result<Measurements> RunCache::measure_live(const std::string& row) const {
  const auto found = live_.find(row);
  if (found != live_.end()) return found->second();
  return fail(std::string(kCannotRunHere) + ": this ebb was built without the live half");
}

Result<RunCache::Cache::iterator> RunCache::prepare(const Run& run) {
  const auto read = config::read_sim_text(run.file, "experiment", parts_, run.settings);
  if (!read) return fail(read.error());
  seeds_.insert(read->spec.seed);
  const std::string key = config::resolved_text(read->spec);
  if (const auto known = cached_.find(key); known != cached_.end()) return known;
  auto simulation = config::prepare(*read, parts_);
  if (!simulation) return fail(simulation.error());
  return cached_.emplace(key, std::make_unique<Done>(std::move(*simulation))).first;
}

Result<std::vector<const results::Summary*>> RunCache::simulate(const std::vector<Run>& runs) {
  std::vector<Done*> asked;
  std::vector<Done*> open;
  for (const Run& run : runs) {
    const auto at = prepare(run);
    if (!at) return fail(at.error());
    Done* done = (*at)->second.get();
    asked.push_back(done);
    if (!done->report && std::find(open.begin(), open.end(), done) == open.end())
      open.push_back(done);
  }
  on_all_cores(open);
  std::vector<const results::Summary*> summaries;
  summaries.reserve(asked.size());
  for (const Done* done : asked) summaries.push_back(&*done->summary);
  return summaries;
}

std::set<std::uint64_t> RunCache::take_seeds() { return std::exchange(seeds_, {}); }

}  // namespace ebb::repro
