// SPDX-License-Identifier: Apache-2.0
//
// The numbers that are kept of a run, each declared once: name, unit, meaning.
#pragma once

#include "ebb/results/run.hpp"
#include "ebb/results/summary.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace ebb::results {

struct MetricKind {
  std::string_view name;
  std::string_view unit;  // "1" for shares and counts
  std::string_view meaning;
};

[[nodiscard]] std::span<const MetricKind> metric_kinds();

// In that order. Latencies of which there were none are left out.
[[nodiscard]] std::vector<Metric> metrics_of(const Summary& summary);

}  // namespace ebb::results
