// SPDX-License-Identifier: Apache-2.0
#include "isca_network.hpp"

#include <utility>

namespace ebb::repro {
namespace {

const std::string kUniform = R"(
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

const std::string kService = R"(
schema_version: 1
topology: {family: fbfly, hosts: 15, dims: 15x15}
routing: minimal-adaptive
traffic: {workload: search}
policy: always-on
parts: {switch: isca10-chip-ideal}
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

Result<std::vector<OfWorkload>> isca_runs(Lab& lab,
                                          const std::vector<std::vector<std::string>>& settings) {
  std::vector<Run> runs;
  for (const IscaWorkload& workload : isca_workloads()) {
    for (const auto& setting : settings) runs.push_back(isca_run(workload.name, setting));
  }
  const auto summaries = lab.simulate(runs);
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

}  // namespace ebb::repro
