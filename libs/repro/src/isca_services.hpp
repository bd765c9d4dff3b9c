// SPDX-License-Identifier: Apache-2.0
//
// The network of Section 4 of "Energy Proportional Datacenter Networks" under ebb's stand-ins for
// the traces Search and Advert (docs/models/workloads.md).
#pragma once

#include "ebb/repro/lab.hpp"

#include <string>
#include <vector>

namespace ebb::repro {

// "search" or "advert", always on unless `settings` say otherwise. The time is fixed: jobs last up
// to tens of milliseconds, and all policies are to meet the same messages.
[[nodiscard]] Result<const results::Summary*> simulate_service(Lab& lab, const std::string& name,
                                                               std::vector<std::string> settings);

}  // namespace ebb::repro
