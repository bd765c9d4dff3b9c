// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/run.hpp"

namespace ebb::results {

std::string_view to_text(Status status) { return status == Status::done ? "done" : "failed"; }

std::optional<double> Run::metric(std::string_view name) const {
  for (const Metric& metric : metrics) {
    if (metric.name == name) return metric.value;
  }
  return std::nullopt;
}

std::optional<std::string> Run::parameter(std::string_view wanted) const {
  for (const Parameter& parameter : parameters) {
    if (parameter.key == wanted) return parameter.value;
  }
  return std::nullopt;
}

}  // namespace ebb::results
