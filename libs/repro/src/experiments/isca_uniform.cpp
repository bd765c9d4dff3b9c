// SPDX-License-Identifier: Apache-2.0
//
// The Uniform workload of Section 4 of "Energy Proportional Datacenter Networks": every host of a
// 15-ary 3-flat repeatedly sends 512 KiB to a random other host; the run offers 23 % of the host
// bandwidth, the average utilisation that the paper states. Epoch 10 us, target 50 %, 1 us to
// change a rate. What the paper leaves open is at ebb's defaults: 2 KiB packets, 64 KiB of input
// buffer per virtual channel, 100 ns per switch, 50 ns per link, Poisson arrivals.
#include "experiments/measure.hpp"

#include "ebb/netsim/experiment.hpp"
#include "ebb/policy/registry.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"

#include <chrono>
#include <string>
#include <utility>

namespace ebb::repro {
namespace {

using namespace std::chrono_literals;
using netsim::Report;

Result<Report> simulate(const power::Library& parts, const std::string& ladder,
                        const std::string& policy, const ParameterTexts& parameters) {
  const auto links = parts.find_as<power::Ladder>(ladder);
  if (!links) return fail(links.error());
  topology::RateLadder rates;
  for (const auto& step : (*links)->steps) rates.push_back(step.rate);
  const auto graph = topology::build("fbfly", {{"hosts", "15"}, {"dims", "15x15"}}, rates);
  if (!graph) return fail(graph.error());
  auto models = netsim::channel_models(*graph, **links, watts(1));
  const auto routing = routing::make_routing("minimal-adaptive", *graph);
  const auto pattern = traffic::make_pattern("uniform", {.hosts = graph->host_count()}, {}, 1);
  const auto injection =
      traffic::make_injection("poisson", rates.back(), {{"load", "23%"}, {"size", "512KiB"}});
  const auto made = policy::make_policy(policy, parameters);
  if (!models) return fail(models.error());
  if (!routing) return fail(routing.error());
  if (!pattern) return fail(pattern.error());
  if (!injection) return fail(injection.error());
  if (!made) return fail(made.error());
  return netsim::run({.graph = *graph,
                      .routing = **routing,
                      .pattern = **pattern,
                      .injection = **injection,
                      .policy = *made->policy,
                      .models = std::move(*models),
                      .switch_core = {},
                      .hardware = {},
                      .schedule = {.warm_up = std::nullopt, .measure = 1ms},
                      .seed = 1});
}

const ParameterTexts kPaired = {{"channels", "paired"}};
const ParameterTexts kIndependent = {{"channels", "independent"}};

double mean_us(const Report& report) {
  return static_cast<double>(report.message_latency.mean().count()) * 1e-6;
}

}  // namespace

Result<Measurements> measure_isca_ideal_channels(const power::Library& parts) {
  const auto report = simulate(parts, "ideal-ladder", "epoch", kIndependent);
  if (!report) return fail(report.error());
  return Measurements{{"uniform", 100 * relative_power(*report)},
                      {"uniform_ideal", 100 * ideal_relative_power(*report)}};
}

Result<Measurements> measure_isca_measured_channels(const power::Library& parts) {
  const auto paired = simulate(parts, "infiniband-1us-ladder", "epoch", kPaired);
  if (!paired) return fail(paired.error());
  const auto independent = simulate(parts, "infiniband-1us-ladder", "epoch", kIndependent);
  if (!independent) return fail(independent.error());
  return Measurements{{"paired", 100 * relative_power(*paired)},
                      {"independent", 100 * relative_power(*independent)}};
}

Result<Measurements> measure_isca_latency(const power::Library& parts) {
  const auto fast = simulate(parts, "ideal-ladder", "always-on", {});
  if (!fast) return fail(fast.error());
  const auto paired = simulate(parts, "ideal-ladder", "epoch", kPaired);
  if (!paired) return fail(paired.error());
  const double added = mean_us(*paired) - mean_us(*fast);
  return Measurements{{"added_least", added}, {"added_most", added}};
}

Result<Measurements> measure_isca_always_slowest(const power::Library& parts) {
  const auto report = simulate(parts, "ideal-ladder", "always-slowest", {});
  if (!report) return fail(report.error());
  return Measurements{{"saturated", saturated(*report) ? 1 : 0}};
}

}  // namespace ebb::repro
