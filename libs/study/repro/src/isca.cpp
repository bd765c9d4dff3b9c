// SPDX-License-Identifier: Apache-2.0
#include "isca.hpp"

#include <utility>

namespace ebb::repro {
namespace {

// A host of the paper sends one message after the other, each to another random host (Section 4.1).
const std::string kUniform = R"(
schema_version: 1
topology: {family: fbfly, hosts: 15, dims: 15x15}
routing: minimal-adaptive
traffic:
  pattern: uniform
  injection: {name: poisson, load: 23%, size: 512KiB}
policy: always-on
parts: {switch: isca10-chip-ideal}
hardware: {open_messages: 1}
schedule: {measure: 1ms}
)";

// What the hosts of the traces do is not published. The stand-ins are measured in the same way.
const std::string kService = R"(
schema_version: 1
topology: {family: fbfly, hosts: 15, dims: 15x15}
routing: minimal-adaptive
traffic: {workload: search}
policy: always-on
parts: {switch: isca10-chip-ideal}
hardware: {open_messages: 1}
schedule: {warm_up: 5ms, measure: 10ms, tail_limit: 10ms}
)";

double mean_us(const results::Summary& summary) {
  return static_cast<double>(summary.report.message_latency.mean().count()) * 1e-6;
}

}  // namespace

const std::vector<IscaWorkload>& isca_workloads() {
  static const std::vector<IscaWorkload> kWorkloads = {
      {"uniform", "Uniform"}, {"search", "Search"}, {"advert", "Advert"}};
  return kWorkloads;
}

Run isca_run(const std::string& workload, std::vector<std::string> settings) {
  if (workload == "uniform") return {kUniform, std::move(settings)};
  settings.push_back("traffic.workload=" + workload);
  return {kService, std::move(settings)};
}

Result<std::vector<OfWorkload>> isca_runs(RunCache& cache,
                                          const std::vector<std::vector<std::string>>& settings) {
  std::vector<Run> runs;
  for (const IscaWorkload& workload : isca_workloads()) {
    for (const auto& setting : settings) runs.push_back(isca_run(workload.name, setting));
  }
  const auto summaries = cache.simulate(runs);
  if (!summaries) return fail(summaries.error());
  std::vector<OfWorkload> all;
  auto next = summaries->begin();
  for (const IscaWorkload& workload : isca_workloads()) {
    const auto end = next + static_cast<std::ptrdiff_t>(settings.size());
    all.push_back({workload, {next, end}});
    next = end;
  }
  return all;
}

double added_us(const results::Summary& slowed, const results::Summary& fast) {
  return mean_us(slowed) - mean_us(fast);
}

plan::Inputs isca_inputs() {
  plan::Inputs inputs;
  inputs.hosts = 32'768;
  inputs.rate = gigabits_per_second(40);
  inputs.parts = {.switch_part = "isca10-chip", .nic = "isca10-nic"};
  inputs.tariff = {.price = cents_per_kwh(7), .pue = Ratio(16, 10), .years = 4};
  return inputs;
}

Result<plan::Design> isca_fbfly(const power::Library& parts) {
  return plan::evaluate({"8-ary 5-flat", "fbfly", {{"hosts", "8"}, {"dims", "8x8x8x8"}}},
                        isca_inputs(), parts);
}

Result<plan::Design> isca_clos(const power::Library& parts) {
  return plan::evaluate({"folded Clos", "clos_chassis", {{"hosts", "32768"}, {"chip_ports", "36"}}},
                        isca_inputs(), parts);
}

plots::Figure with_curves(plots::Figure frame, const std::string& what,
                          const std::vector<Abscissa>& abscissae, const Measurements& measured) {
  frame.kind = plots::Kind::lines;
  for (const IscaWorkload& workload : isca_workloads()) {
    plots::Series curve{workload.label, {}};
    for (const Abscissa& at : abscissae) {
      const std::string name = what + workload.name + "_" + at.name;
      curve.points.push_back({at.x, value_of(measured, name), {}});
    }
    frame.series.push_back(std::move(curve));
  }
  return frame;
}

}  // namespace ebb::repro
