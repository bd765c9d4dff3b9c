// SPDX-License-Identifier: Apache-2.0
//
// What was measured with the Uniform workload, and with stand-ins for Search and Advert.
#include "experiments/isca_runs.hpp"
#include "experiments/measure.hpp"

#include "ebb/netsim/experiment.hpp"

#include <string>
#include <vector>

namespace ebb::repro {
namespace {

using netsim::Report;

const std::string kMeasured = "parts.ladder=infiniband-1us-ladder";
double mean_us(const Report& report) {
  return static_cast<double>(report.message_latency.mean().count()) * 1e-6;
}

}  // namespace

Result<Measurements> measure_isca_ideal_channels(const power::Library& parts) {
  const auto uniform = run_uniform(parts, {kIndependent});
  if (!uniform) return fail(uniform.error());
  const auto search = run_service(parts, "search", {kIndependent});
  if (!search) return fail(search.error());
  const auto advert = run_service(parts, "advert", {kIndependent});
  if (!advert) return fail(advert.error());
  return Measurements{{"uniform", 100 * relative_power(*uniform)},
                      {"uniform_ideal", 100 * ideal_relative_power(*uniform)},
                      {"search", 100 * relative_power(*search)},
                      {"search_ideal", 100 * ideal_relative_power(*search)},
                      {"advert", 100 * relative_power(*advert)},
                      {"advert_ideal", 100 * ideal_relative_power(*advert)}};
}

Result<Measurements> measure_isca_measured_channels(const power::Library& parts) {
  const auto paired = run_uniform(parts, {kMeasured, kPaired});
  if (!paired) return fail(paired.error());
  const auto independent = run_uniform(parts, {kMeasured, kIndependent});
  if (!independent) return fail(independent.error());
  return Measurements{{"paired", 100 * relative_power(*paired)},
                      {"independent", 100 * relative_power(*independent)}};
}

Result<Measurements> measure_isca_latency(const power::Library& parts) {
  const auto fast = run_uniform(parts, {});
  if (!fast) return fail(fast.error());
  const auto paired = run_uniform(parts, {kPaired});
  if (!paired) return fail(paired.error());
  const double added = mean_us(*paired) - mean_us(*fast);
  return Measurements{{"added_least", added}, {"added_most", added}};
}

Result<Measurements> measure_isca_always_slowest(const power::Library& parts) {
  const auto report = run_uniform(parts, {"policy=always-slowest"});
  if (!report) return fail(report.error());
  return Measurements{{"saturated", saturated(*report) ? 1 : 0}};
}

}  // namespace ebb::repro
