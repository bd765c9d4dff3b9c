// SPDX-License-Identifier: Apache-2.0
//
// The Uniform workload of Section 4 of "Energy Proportional Datacenter Networks": every host of a
// 15-ary 3-flat repeatedly sends 512 KiB to a random other host; the run offers 23 % of the host
// bandwidth, the average utilisation that the paper states. Epoch 10 us, target 50 %, 1 us to
// change a rate. What the paper leaves open is at ebb's defaults: 2 KiB packets, 64 KiB of input
// buffer per virtual channel, 100 ns per switch, 50 ns per link, Poisson arrivals.
#include "beside_published.hpp"
#include "isca_services.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ebb::repro {
namespace {

using results::Summary;

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

Result<const Summary*> simulate(Lab& lab, const std::vector<std::string>& settings) {
  return lab.simulate(kUniform, settings);
}

double mean_us(const Summary& summary) {
  return static_cast<double>(summary.report.message_latency.mean().count()) * 1e-6;
}

// Names "paired: 2.5Gb/s".
void add_state_times(const std::string& control, const Summary& summary, Measurements& measured) {
  for (const results::StateShare& state : summary.states)
    measured.emplace_back(control + ": " + state.state, 100 * state.share);
}

// The paper shows Search and says that Uniform looks very similar.
figures::Figure draw_figure_7(const Measurements& measured) {
  figures::Figure figure{.name = "figure-7",
                         .title = "Figure 7, with Uniform: share of time at each speed",
                         .kind = figures::Kind::stacked_bars,
                         .y = {"share of time", "%"},
                         .categories = {"paired", "independent"}};
  for (const std::string state : {"changing", "2.5Gb/s", "5Gb/s", "10Gb/s", "20Gb/s", "40Gb/s"}) {
    figure.series.push_back({state,
                             {{0, value_of(measured, "paired: " + state), {}},
                              {1, value_of(measured, "independent: " + state), {}}}});
  }
  return figure;
}

Result<Measurements> measure_ideal_channels(Lab& lab) {
  const auto paired = simulate(lab, {kPaired});
  if (!paired) return fail(paired.error());
  const auto independent = simulate(lab, {kIndependent});
  if (!independent) return fail(independent.error());
  Measurements measured{{"uniform", 100 * relative_power((*independent)->report)},
                        {"uniform_paired", 100 * relative_power((*paired)->report)},
                        {"uniform_ideal", 100 * ideal_relative_power((*independent)->report)}};
  for (const std::string name : {"search", "advert"}) {
    const auto service = simulate_service(lab, name, {kIndependent});
    if (!service) return fail(service.error());
    measured.emplace_back(name, 100 * relative_power((*service)->report));
    measured.emplace_back(name + "_ideal", 100 * ideal_relative_power((*service)->report));
  }
  add_state_times("paired", **paired, measured);
  add_state_times("independent", **independent, measured);
  return measured;
}

std::vector<figures::Figure> draw_ideal_channels(const Row& row, const Measurements& measured) {
  return {draw_figure_7(measured),
          beside_published({.name = "figure-8b",
                            .title = "Figure 8(b): relative power of ideal channels, Uniform",
                            .y = {"power of always-on", "%"}},
                           row, measured,
                           {{"paired", "uniform_paired"},
                            {"independent", "uniform"},
                            {"ideally proportional", "uniform_ideal"}})};
}

Result<Measurements> measure_measured_channels(Lab& lab) {
  const auto paired = simulate(lab, {kMeasured, kPaired});
  if (!paired) return fail(paired.error());
  const auto independent = simulate(lab, {kMeasured, kIndependent});
  if (!independent) return fail(independent.error());
  return Measurements{{"paired", 100 * relative_power((*paired)->report)},
                      {"independent", 100 * relative_power((*independent)->report)}};
}

std::vector<figures::Figure> draw_figure_8a(const Row&, const Measurements& measured) {
  figures::Figure figure{.name = "figure-8a",
                         .title = "Figure 8(a): relative power of the measured switch, Uniform",
                         .kind = figures::Kind::bars,
                         .y = {"power of always-on", "%"},
                         .categories = {"paired", "independent"}};
  figure.series = {
      {"ebb", {{0, value_of(measured, "paired"), {}}, {1, value_of(measured, "independent"), {}}}}};
  figure.levels = {{"published: the slowest mode, 42 %", 42}};
  return {figure};
}

Result<Measurements> measure_latency(Lab& lab) {
  const auto fast = simulate(lab, {});
  if (!fast) return fail(fast.error());
  const auto paired = simulate(lab, {kPaired});
  if (!paired) return fail(paired.error());
  const double added = mean_us(**paired) - mean_us(**fast);
  return Measurements{{"added_least", added}, {"added_most", added}};
}

std::vector<figures::Figure> draw_figure_9a(const Row&, const Measurements& measured) {
  figures::Figure figure{.name = "figure-9a",
                         .title = "Figure 9(a), target 50 %: mean latency added, paired channels",
                         .kind = figures::Kind::bars,
                         .y = {"added mean latency of messages", "us"},
                         .categories = {"Uniform"}};
  figure.series = {{"ebb", {{0, value_of(measured, "added_most"), {}}}}};
  figure.levels = {{"published: at least", 10}, {"published: at most", 50}};
  return {figure};
}

Result<Measurements> measure_always_slowest(Lab& lab) {
  const auto report = simulate(lab, {"policy=always-slowest"});
  if (!report) return fail(report.error());
  return Measurements{{"saturated", saturated((*report)->report) ? 1 : 0}};
}

}  // namespace

std::vector<Experiment> experiments_in_isca_uniform() {
  return {{"A6", measure_ideal_channels, Cost::simulated, draw_ideal_channels},
          {"A7", measure_measured_channels, Cost::simulated, draw_figure_8a},
          {"A9", measure_latency, Cost::simulated, draw_figure_9a},
          {"A13", measure_always_slowest, Cost::simulated}};
}

}  // namespace ebb::repro
