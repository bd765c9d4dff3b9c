// SPDX-License-Identifier: Apache-2.0
#include "ebb/repro/lab.hpp"

#include "ebb/config/simulation.hpp"
#include "ebb/netsim/experiment.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace ebb::repro {
namespace {

// On all cores: the result is the same on any number.
netsim::Report run(const config::Simulation& simulation) {
  netsim::Experiment experiment = simulation.experiment();
  experiment.threads = std::max(1U, std::thread::hardware_concurrency());
  return netsim::run(experiment);
}

}  // namespace

// A summary refers to the other two.
struct Lab::Done {
  explicit Done(config::Simulation prepared)
      : simulation(std::move(prepared)), report(run(simulation)), summary(simulation, report) {}

  config::Simulation simulation;
  netsim::Report report;
  results::Summary summary;
};

Lab::Lab(const power::Library& parts) : parts_(parts) {}
Lab::~Lab() = default;

Result<const results::Summary*> Lab::simulate(std::string_view file,
                                              const std::vector<std::string>& settings) {
  const auto read = config::read_sim_text(file, "experiment", parts_, settings);
  if (!read) return fail(read.error());
  seeds_.insert(read->spec.seed);
  auto& done = done_[config::resolved_text(read->spec)];
  if (!done) {
    auto simulation = config::prepare(*read, parts_);
    if (!simulation) return fail(simulation.error());
    done = std::make_unique<const Done>(std::move(*simulation));
  }
  return &done->summary;
}

std::set<std::uint64_t> Lab::take_seeds() { return std::exchange(seeds_, {}); }

}  // namespace ebb::repro
