// SPDX-License-Identifier: Apache-2.0
#include "ebb/sweep/perform.hpp"

#include "ebb/config/simulation.hpp"
#include "ebb/results/record.hpp"

#include <chrono>
#include <exception>
#include <utility>

namespace ebb::sweep {
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
  const netsim::Report report = netsim::run(simulation->experiment());
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
