// SPDX-License-Identifier: Apache-2.0
//
// The Uniform workload of Section 4 of "Energy Proportional Datacenter Networks": every host of a
// 15-ary 3-flat repeatedly sends 512 KiB to a random other host; the run offers 23 % of the host
// bandwidth, the average utilisation that the paper states. Epoch 10 us, target 50 %, 1 us to
// change a rate. What the paper leaves open is at ebb's defaults: 2 KiB packets, 64 KiB of input
// buffer per virtual channel, 100 ns per switch, 50 ns per link, Poisson arrivals.
#include "experiments/measure.hpp"

#include "ebb/config/simulation.hpp"
#include "ebb/netsim/experiment.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ebb::repro {
namespace {

using netsim::Report;

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

const std::string kMeasured = "parts.ladder=infiniband-1us-ladder";
const std::string kPaired = "policy={name: epoch, channels: paired}";
const std::string kIndependent = "policy={name: epoch, channels: independent}";

Result<Report> simulate(const power::Library& parts, const std::vector<std::string>& settings) {
  const auto file = config::read_sim_text(kUniform, "uniform", parts, settings);
  if (!file) return fail(file.error());
  const auto simulation = config::prepare(*file, parts);
  if (!simulation) return fail(simulation.error());
  return netsim::run(simulation->experiment());
}

double mean_us(const Report& report) {
  return static_cast<double>(report.message_latency.mean().count()) * 1e-6;
}

}  // namespace

Result<Measurements> measure_isca_ideal_channels(const power::Library& parts) {
  const auto report = simulate(parts, {kIndependent});
  if (!report) return fail(report.error());
  return Measurements{{"uniform", 100 * relative_power(*report)},
                      {"uniform_ideal", 100 * ideal_relative_power(*report)}};
}

Result<Measurements> measure_isca_measured_channels(const power::Library& parts) {
  const auto paired = simulate(parts, {kMeasured, kPaired});
  if (!paired) return fail(paired.error());
  const auto independent = simulate(parts, {kMeasured, kIndependent});
  if (!independent) return fail(independent.error());
  return Measurements{{"paired", 100 * relative_power(*paired)},
                      {"independent", 100 * relative_power(*independent)}};
}

Result<Measurements> measure_isca_latency(const power::Library& parts) {
  const auto fast = simulate(parts, {});
  if (!fast) return fail(fast.error());
  const auto paired = simulate(parts, {kPaired});
  if (!paired) return fail(paired.error());
  const double added = mean_us(*paired) - mean_us(*fast);
  return Measurements{{"added_least", added}, {"added_most", added}};
}

Result<Measurements> measure_isca_always_slowest(const power::Library& parts) {
  const auto report = simulate(parts, {"policy=always-slowest"});
  if (!report) return fail(report.error());
  return Measurements{{"saturated", saturated(*report) ? 1 : 0}};
}

}  // namespace ebb::repro
