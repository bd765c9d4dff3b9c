// SPDX-License-Identifier: Apache-2.0
//
// The load that a run was asked for: a key of its injection, or of its workload.
#pragma once

#include "ebb/results/run.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ebb::results {

[[nodiscard]] constexpr bool is_load(std::string_view key) {
  return key == "traffic.injection.load" || key == "traffic.load";
}

// Nothing when it was not set.
[[nodiscard]] inline std::optional<Parameter> load_of(const Run& run) {
  for (const Parameter& parameter : run.parameters) {
    if (is_load(parameter.key)) return parameter;
  }
  return std::nullopt;
}

}  // namespace ebb::results
