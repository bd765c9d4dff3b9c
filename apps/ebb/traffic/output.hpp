// SPDX-License-Identifier: Apache-2.0
//
// How bursty a workload is, for people and for programs.
#pragma once

#include "traffic/subject.hpp"

#include "ebb/traffic/burstiness.hpp"

#include <string>

namespace ebb::cli {

[[nodiscard]] std::string traffic_text(const TrafficSubject& subject,
                                       const traffic::Burstiness& seen);
[[nodiscard]] std::string traffic_json(const TrafficSubject& subject,
                                       const traffic::Burstiness& seen);

}  // namespace ebb::cli
