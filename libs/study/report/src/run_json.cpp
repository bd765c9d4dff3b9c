// SPDX-License-Identifier: Apache-2.0
#include "run_json.hpp"

#include <string>

namespace ebb::report {
namespace {

Json parameters_json(const results::Run& run) {
  Json parameters = Json::object();
  for (const auto& [key, value] : run.parameters) parameters[key] = value;
  return parameters;
}

Json metrics_json(const results::Run& run) {
  Json metrics = Json::array();
  for (const auto& [name, unit, value] : run.metrics)
    metrics.push_back({{"name", name}, {"unit", unit}, {"value", value}});
  return metrics;
}

}  // namespace

Json run_json(const results::Run& run) {
  return {{"key", run.key},
          {"label", run.label},
          {"version", run.version},
          {"seed", std::to_string(run.seed)},  // 64 bits do not fit into a number of a browser
          {"status", to_text(run.status)},
          {"error", run.error},
          {"parameters", parameters_json(run)},
          {"configuration", run.configuration},
          {"metrics", metrics_json(run)}};
}

}  // namespace ebb::report
