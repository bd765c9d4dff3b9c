// SPDX-License-Identifier: Apache-2.0
#include "experiments/isca_runs.hpp"

#include "ebb/config/simulation.hpp"
#include "ebb/netsim/experiment.hpp"

#include <string_view>

namespace ebb::repro {
namespace {

constexpr std::string_view kUniform = R"(
schema_version: 1
topology: {family: fbfly, hosts: 15, dims: 15x15}
routing: minimal-adaptive
traffic:
  pattern: uniform
  injection: {name: poisson, load: 23%, size: 512KiB}
policy: always-on
parts: {switch: isca10-chip-ideal}
schedule: {measure: 1ms}
)";

}  // namespace

Result<netsim::Report> run_uniform(const power::Library& parts,
                                   const std::vector<std::string>& settings) {
  const auto file = config::read_sim_text(kUniform, "isca10", parts, settings);
  if (!file) return fail(file.error());
  const auto simulation = config::prepare(*file, parts);
  if (!simulation) return fail(simulation.error());
  return netsim::run(simulation->experiment());
}

Result<netsim::Report> run_service(const power::Library& parts, const std::string& name,
                                   std::vector<std::string> settings) {
  settings.push_back("traffic={workload: " + name + "}");
  settings.emplace_back("schedule={warm_up: 5ms, measure: 10ms, tail_limit: 10ms}");
  return run_uniform(parts, settings);
}

}  // namespace ebb::repro
