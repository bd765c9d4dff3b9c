// SPDX-License-Identifier: Apache-2.0
//
// Quantities as the numbers that the runtime's JSON shows: seconds and watts.
#pragma once

#include "ebb/units/energy.hpp"
#include "ebb/units/time.hpp"

#include <nlohmann/json.hpp>

#include <chrono>

namespace ebb::runtime {

using Json = nlohmann::ordered_json;

[[nodiscard]] inline double in_seconds(Duration time) {
  return std::chrono::duration<double>(time).count();
}

// Since the controller began.
[[nodiscard]] inline double in_seconds(TimePoint at) { return in_seconds(at.time_since_epoch()); }

[[nodiscard]] inline double in_watts(Power power) {
  return static_cast<double>(power.count()) / 1e6;
}

}  // namespace ebb::runtime
